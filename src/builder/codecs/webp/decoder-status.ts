/**
 * Faults of the VP8 decoder. This file is TypeScript and AssemblyScript at once: both sides of the module import it.
 */
export const FAULT_CORRUPT = -1;
export const FAULT_TRUNCATED = -2;
export const FAULT_OUT_OF_MEMORY = -3;
