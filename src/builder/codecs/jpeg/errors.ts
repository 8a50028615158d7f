/** What the JPEG decoder refuses, by name. */

export type JpegErrorCode = "UNSUPPORTED" | "CORRUPT" | "TRUNCATED" | "TOO_MANY_SCANS" | "OUT_OF_MEMORY";

export class JpegDecodeError extends Error {
  readonly code: JpegErrorCode;

  constructor(code: JpegErrorCode, message: string) {
    super(message);
    this.name = "JpegDecodeError";
    this.code = code;
  }
}

/** By the numbers of assembly/jpeg-decoder/status.ts. */
const FAULTS: Record<number, [code: JpegErrorCode, message: string]> = {
  [-1]: ["CORRUPT", "not a JPEG file"],
  [-2]: ["TRUNCATED", "the file ends before the picture does"],
  [-3]: ["CORRUPT", "a marker segment contradicts the standard"],
  [-4]: ["CORRUPT", "a Huffman table is impossible"],
  [-5]: ["CORRUPT", "a Huffman code is in no table"],
  [-6]: ["CORRUPT", "a block has more coefficients than its band"],
  [-7]: ["CORRUPT", "a marker stands where picture data has to be"],
  [-8]: ["CORRUPT", "picture data goes on where a restart marker has to be"],
  [-9]: ["CORRUPT", "a scan uses a table that is not defined"],
  [-10]: ["CORRUPT", "a scan header contradicts the frame"],
  [-11]: ["CORRUPT", "a component has no scan"],
  [-12]: ["TOO_MANY_SCANS", "more than 500 scans"],
  [-13]: ["OUT_OF_MEMORY", "the decoder's memory is at its end"],
  [-20]: ["UNSUPPORTED", "arithmetic coding"],
  [-21]: ["UNSUPPORTED", "lossless"],
  [-22]: ["UNSUPPORTED", "hierarchical"],
  [-23]: ["UNSUPPORTED", "12-bit"],
  [-24]: ["UNSUPPORTED", "height stated after the picture (DNL)"],
  [-25]: ["UNSUPPORTED", "number of components"],
};

export function faultOf(status: number): JpegDecodeError {
  const [code, message] = FAULTS[status] ?? ["CORRUPT", `fault ${status}`];
  return new JpegDecodeError(code, message);
}
