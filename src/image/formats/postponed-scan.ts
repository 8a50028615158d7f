/** The part of a JPEG's check that is left to the caller of the probe. */
import type { ScanCounter } from "./jpeg/whole-scan.ts";

/** The last scan of a JPEG without EOI. The file is whole if the data from byte `dataAt` of the file code every block. */
export interface PostponedScan {
  dataAt: number;
  counter: ScanCounter;
  /** The error to throw if they do not. */
  refusal: Error;
}

export type Postpone = (scan: PostponedScan) => void;
