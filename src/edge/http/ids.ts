/** What can be an id at all, so that nothing is asked of D1 for what cannot (RULES 1.1). */

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

export const isUlid = (text: string): boolean => ULID.test(text);
