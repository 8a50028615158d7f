/** Rows of a PNG master. */
import type { RowSource } from "../../pixels/row-source.ts";

export interface PngRows extends RowSource {
  /** Bytes of WebAssembly memory that it takes, from the first row to the last. */
  readonly memoryBytes: number;
  /** Lets go of the stream when no more rows are wanted. */
  cancel(): void;
}
