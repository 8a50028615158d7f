/** The faults and the work of a running decoder. Only the first fault is kept. */
export * from "../../decoder-status";

export abstract class Fault {
  /** The first fault, or 0. Hot loops set it and continue. It is checked before any row is handed out. */
  static code: i32 = 0;
}

/** Records a fault. @returns the first one */
export function fail(code: i32): i32 {
  if (Fault.code == 0) Fault.code = code;
  return Fault.code;
}

/**
 * Work done so far. A unit takes one to two nanoseconds on a server's processor of 2024. A deployed Worker's clock
 * stands still while it computes, so the caller uses this count to decide when to let the event loop run.
 */
export abstract class Work {
  static units: u64 = 0;
}
