/** What goes wrong in one of jSquash's codecs. */
import { BuildError } from "../failures/build-error.ts";
import type { FailureCode } from "../../image/protocol/failure.ts";

/** The codec refused its input, ran out of memory, or trapped. */
export class CodecError extends BuildError {
  constructor(message: string, options?: ErrorOptions) {
    super("internal", null, message, options);
  }
}

/** The memory was at its maximum when the codec wanted more. */
export class CodecMemoryError extends CodecError {
  override failure: FailureCode = "out-of-memory";
}
