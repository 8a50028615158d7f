import type { FailureCode } from "../../../image/protocol/failure.ts";
import { BuildError } from "../../failures/build-error.ts";

/**
 * Why a PNG could not be decoded. CORRUPT: its bytes contradict the format, a CRC or each other. TRUNCATED: it ends
 * before IEND. UNSUPPORTED: it uses a critical chunk or a method that is not known. OUT_OF_MEMORY: its rows, or the
 * whole picture if it is interlaced, do not fit the memory given.
 */
export type PngErrorCode = "CORRUPT" | "TRUNCATED" | "UNSUPPORTED" | "OUT_OF_MEMORY";

const FAILURE: Record<PngErrorCode, FailureCode> = {
  CORRUPT: "corrupt",
  TRUNCATED: "corrupt",
  UNSUPPORTED: "unsupported",
  OUT_OF_MEMORY: "out-of-memory",
};

export class PngDecodeError extends BuildError {
  override readonly name = "PngDecodeError";
  readonly code: PngErrorCode;

  constructor(code: PngErrorCode, message: string, options?: ErrorOptions) {
    super(FAILURE[code], "decode", message, options);
    this.code = code;
  }
}
