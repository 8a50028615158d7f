/** The size of a page, the unit in which WebAssembly memory grows. */
export const PAGE_BYTES = 65_536;

/** Returns `bytes` rounded up to whole pages. */
export const wholePages = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
