/**
 * The answers of the WebP decoder other than a number of rows. This file is TypeScript and AssemblyScript at
 * once: both sides of the module import it.
 */
export const FAULT_CORRUPT = -1;
export const FAULT_TRUNCATED = -2;
export const FAULT_OUT_OF_MEMORY = -3;
/** More of the file is needed. */
export const NEED_INPUT = -4;
/** There is more to do before the first row, but others may be let run in between. */
export const WORKING = -5;
