/** The workspace of a row codec. */
import type { WorkMeter } from "./work-meter.ts";

export interface RowWorkspace {
  /**
   * Zeros, except the data of others, which end at `start`. The codec alone writes to the rest until its last row or byte
   * is read.
   */
  readonly memory: WebAssembly.Memory;
  readonly work: WorkMeter;
  /** The address from which on the codec may take memory, for codecs that can begin behind data of others; 0 without it. */
  readonly start?: number;
  /** Told how many bytes of the memory are taken. */
  readonly counted?: (bytes: number) => void;
}
