/** Returns whether requests of a method change nothing. */
export const isReadMethod = (method: string): boolean => /^(?:get|head)$/i.test(method);
