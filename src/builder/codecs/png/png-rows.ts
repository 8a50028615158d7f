/** The rows of a PNG master. */
import type { RowSource } from "../../pixels/row-source.ts";

export interface PngRows extends RowSource {
  /** Bytes of WebAssembly memory in use, from the first row to the last. */
  readonly memoryBytes: number;
  /** Cancels the stream of the file when no more rows are wanted. */
  cancel(): void;
}
