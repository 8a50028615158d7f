/** The pages that WebAssembly memory grows by. */
export const PAGE_BYTES = 65_536;

/** Bytes of WebAssembly memory that hold `bytes`: whole pages. */
export const wholePages = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
