/** Errors of the AV1 decoder. */
import type { FailureCode } from "../../../../image/protocol/failure.ts";
import { BuildError } from "../../../failures/build-error.ts";
import { FAULT_CORRUPT, FAULT_OUT_OF_MEMORY, FAULT_TRUNCATED, FAULT_UNSUPPORTED } from "../decoder-status.ts";

export type Av1ErrorCode = "CORRUPT" | "TRUNCATED" | "OUT_OF_MEMORY" | "UNSUPPORTED";

export class Av1DecodeError extends BuildError {
  override readonly name = "Av1DecodeError";
  readonly code: Av1ErrorCode;

  constructor(code: Av1ErrorCode, message: string) {
    const failure: FailureCode = code === "OUT_OF_MEMORY" ? "out-of-memory" : "corrupt";
    super(failure, "decode", message);
    this.code = code;
  }
}

const FAULTS: Record<number, [code: Av1ErrorCode, message: string]> = {
  [FAULT_CORRUPT]: ["CORRUPT", "The AV1 data are damaged"],
  [FAULT_TRUNCATED]: ["TRUNCATED", "The AV1 data end before the picture does"],
  [FAULT_OUT_OF_MEMORY]: ["OUT_OF_MEMORY", "The decoder's memory is at its end"],
  [FAULT_UNSUPPORTED]: ["UNSUPPORTED", "The picture is predicted from others"],
};

/** Returns the error of a fault of the module. */
export function faultOf(status: number): Av1DecodeError {
  const [code, message] = FAULTS[status] ?? ["CORRUPT", `fault ${status}`];
  return new Av1DecodeError(code, message);
}

/** Returns the error of a file that may be valid and is left to libaom. The log has the reason. */
export const unsupported = (reason: string): Av1DecodeError => new Av1DecodeError("UNSUPPORTED", reason);
