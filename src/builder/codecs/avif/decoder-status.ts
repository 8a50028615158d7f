/**
 * Faults of the AV1 decoder. This file is TypeScript and AssemblyScript at once: both sides of the module import it.
 */
export const FAULT_CORRUPT = -1;
export const FAULT_TRUNCATED = -2;
export const FAULT_OUT_OF_MEMORY = -3;
/** The stream may be valid, but has a frame that is predicted from others, or a tool that this decoder does not have. */
export const FAULT_UNSUPPORTED = -4;
