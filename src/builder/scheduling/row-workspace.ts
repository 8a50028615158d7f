/** What a row codec works with. */
import type { WorkMeter } from "./work-meter.ts";

export interface RowWorkspace {
  /** Filled with zeros, and the codec's alone until its last row or byte was read. */
  readonly memory: WebAssembly.Memory;
  readonly work: WorkMeter;
  /** Told how many bytes of the memory are taken. */
  readonly counted?: (bytes: number) => void;
}
