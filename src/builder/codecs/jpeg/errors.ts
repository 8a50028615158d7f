/** The errors of the JPEG decoder. */
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
  [fault.FAULT_NOT_JPEG]: ["CORRUPT", "The file is not a JPEG"],
  [fault.FAULT_TRUNCATED]: ["TRUNCATED", "The file ends before the picture does"],
  [fault.FAULT_SEGMENT]: ["CORRUPT", "A marker segment contradicts the standard"],
  [fault.FAULT_HUFFMAN_TABLE]: ["CORRUPT", "A Huffman table is invalid"],
  [fault.FAULT_CODE]: ["CORRUPT", "A Huffman code is not in its table"],
  [fault.FAULT_COEFFICIENTS]: ["CORRUPT", "A block has more coefficients than its band"],
  [fault.FAULT_MARKER]: ["CORRUPT", "A marker stands where picture data must be"],
  [fault.FAULT_LEFTOVER]: ["CORRUPT", "Picture data stands where a restart marker must be"],
  [fault.FAULT_MISSING_TABLE]: ["CORRUPT", "A scan uses a table that is not defined"],
  [fault.FAULT_SCAN]: ["CORRUPT", "A scan header contradicts the frame"],
  [fault.FAULT_MISSING_COMPONENT]: ["CORRUPT", "A component has no scan"],
  [fault.FAULT_TOO_MANY_SCANS]: ["TOO_MANY_SCANS", "The file has more than 500 scans"],
  [fault.FAULT_OUT_OF_MEMORY]: ["OUT_OF_MEMORY", "The decoder's memory is at its end"],
  [fault.FAULT_ARITHMETIC]: ["UNSUPPORTED", "Arithmetic coding is not supported"],
  [fault.FAULT_LOSSLESS]: ["UNSUPPORTED", "Lossless JPEG is not supported"],
  [fault.FAULT_HIERARCHICAL]: ["UNSUPPORTED", "Hierarchical JPEG is not supported"],
  [fault.FAULT_PRECISION]: ["UNSUPPORTED", "Samples of 12 bits are not supported"],
  [fault.FAULT_NO_HEIGHT]: ["UNSUPPORTED", "A height after the picture (DNL) is not supported"],
  [fault.FAULT_COMPONENTS]: ["UNSUPPORTED", "This number of components is not supported"],
};

/** @param status a negative answer of the module */
export function faultOf(status: number): JpegDecodeError {
  const [code, message] = FAULTS[status] ?? ["CORRUPT", `The decoder answered fault ${status}`];
  return new JpegDecodeError(code, message);
}
