/** The errors of codecs that run through emscripten.ts or resvg. */
import { BuildError } from "../failures/build-error.ts";
import type { FailureCode } from "../../image/protocol/failure.ts";

/** The codec refused its input, ran out of memory, or trapped. */
export class CodecError extends BuildError {
  constructor(message: string, options?: ErrorOptions) {
    super("internal", null, message, options);
  }
}

/** The codec needed more memory than its maximum. */
export class CodecMemoryError extends CodecError {
  override failure: FailureCode = "out-of-memory";
}
