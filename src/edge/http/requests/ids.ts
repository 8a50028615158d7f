/** Whether a text can be an id (RULES 1.1), so that D1 is not asked for one that cannot exist. */

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

export const isUlid = (text: string): boolean => ULID.test(text);
