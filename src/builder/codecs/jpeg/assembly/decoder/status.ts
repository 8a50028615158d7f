/** Faults and work of the decoder as it runs. Every fault is kept in one place: the first one wins. */
export * from "../../decoder-status";

export abstract class Fault {
  /** The first fault met, or 0. Hot loops set it and run on; it is looked at before anything is handed out. */
  static code: i32 = 0;
}

/** Records a fault and returns the one that counts. */
export function fail(code: i32): i32 {
  if (Fault.code == 0) Fault.code = code;
  return Fault.code;
}

/**
 * Work done so far, one to two nanoseconds per unit on a server's processor of 2024. A deployed Worker's clock stands still
 * while it computes, so the caller gives the event loop its turns by this count.
 */
export abstract class Work {
  static units: u64 = 0;
}
