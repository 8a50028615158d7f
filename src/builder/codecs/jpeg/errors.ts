/** What the JPEG decoder refuses, by name. */
import type { FailureCode } from "../../../image/protocol/failure.ts";
import { BuildError } from "../../failures/build-error.ts";
import * as fault from "./decoder-status.ts";

export type JpegErrorCode = "UNSUPPORTED" | "CORRUPT" | "TRUNCATED" | "TOO_MANY_SCANS" | "OUT_OF_MEMORY";

const FAILURE: Record<JpegErrorCode, FailureCode> = {
  UNSUPPORTED: "unsupported",
  CORRUPT: "corrupt",
  TRUNCATED: "corrupt",
  TOO_MANY_SCANS: "unsupported",
  OUT_OF_MEMORY: "out-of-memory",
};

export class JpegDecodeError extends BuildError {
  readonly code: JpegErrorCode;

  constructor(code: JpegErrorCode, message: string) {
    super(FAILURE[code], "decode", message);
    this.name = "JpegDecodeError";
    this.code = code;
  }
}

const FAULTS: Record<number, [code: JpegErrorCode, message: string]> = {
  [fault.FAULT_NOT_JPEG]: ["CORRUPT", "not a JPEG file"],
  [fault.FAULT_TRUNCATED]: ["TRUNCATED", "the file ends before the picture does"],
  [fault.FAULT_SEGMENT]: ["CORRUPT", "a marker segment contradicts the standard"],
  [fault.FAULT_HUFFMAN_TABLE]: ["CORRUPT", "a Huffman table is impossible"],
  [fault.FAULT_CODE]: ["CORRUPT", "a Huffman code is in no table"],
  [fault.FAULT_COEFFICIENTS]: ["CORRUPT", "a block has more coefficients than its band"],
  [fault.FAULT_MARKER]: ["CORRUPT", "a marker stands where picture data has to be"],
  [fault.FAULT_LEFTOVER]: ["CORRUPT", "picture data goes on where a restart marker has to be"],
  [fault.FAULT_MISSING_TABLE]: ["CORRUPT", "a scan uses a table that is not defined"],
  [fault.FAULT_SCAN]: ["CORRUPT", "a scan header contradicts the frame"],
  [fault.FAULT_MISSING_COMPONENT]: ["CORRUPT", "a component has no scan"],
  [fault.FAULT_TOO_MANY_SCANS]: ["TOO_MANY_SCANS", "more than 500 scans"],
  [fault.FAULT_OUT_OF_MEMORY]: ["OUT_OF_MEMORY", "the decoder's memory is at its end"],
  [fault.FAULT_ARITHMETIC]: ["UNSUPPORTED", "arithmetic coding"],
  [fault.FAULT_LOSSLESS]: ["UNSUPPORTED", "lossless"],
  [fault.FAULT_HIERARCHICAL]: ["UNSUPPORTED", "hierarchical"],
  [fault.FAULT_PRECISION]: ["UNSUPPORTED", "12-bit"],
  [fault.FAULT_NO_HEIGHT]: ["UNSUPPORTED", "height stated after the picture (DNL)"],
  [fault.FAULT_COMPONENTS]: ["UNSUPPORTED", "number of components"],
};

export function faultOf(status: number): JpegDecodeError {
  const [code, message] = FAULTS[status] ?? ["CORRUPT", `fault ${status}`];
  return new JpegDecodeError(code, message);
}
