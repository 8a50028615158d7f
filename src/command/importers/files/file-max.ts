/** The largest file that the service takes. */
export const FILE_MAX_BYTES = 100 * 1024 * 1024;
