/**
 * Why a PNG could not be decoded. CORRUPT: its bytes contradict the format, a CRC or each other. TRUNCATED: it
 * ends before IEND. UNSUPPORTED: it needs a critical chunk or method that is not known. OUT_OF_MEMORY: its
 * rows, or the whole picture when it is interlaced, do not fit the memory given.
 */
export type PngErrorCode = "CORRUPT" | "TRUNCATED" | "UNSUPPORTED" | "OUT_OF_MEMORY";

export class PngDecodeError extends Error {
  override readonly name = "PngDecodeError";
  readonly code: PngErrorCode;

  constructor(code: PngErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
