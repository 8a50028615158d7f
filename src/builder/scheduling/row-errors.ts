/** The errors with which every row codec may fail. */
import { BuildError } from "../failures/build-error.ts";
import type { BuildStage } from "../../image/protocol/failure.ts";

/** The memory of a row codec may not grow as far as the picture needs. */
export class RowMemoryError extends BuildError {
  override readonly name = "RowMemoryError";
  readonly code = "OUT_OF_MEMORY";

  constructor(stage: BuildStage, message: string) {
    super("out-of-memory", stage, message);
  }
}

/** A row source ended before its last row. */
export class RowShortageError extends BuildError {
  override readonly name = "RowShortageError";
  readonly code = "TRUNCATED";

  constructor(message: string) {
    super("corrupt", "decode", message);
  }
}
