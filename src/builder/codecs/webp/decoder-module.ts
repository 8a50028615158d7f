/** The WebAssembly module that decodes WebP (assembly/decoder/index.ts), the interface of its exports, and its faults. */
import { BuildError } from "../../failures/build-error.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import module from "../../wasm/webp-row-decoder.wasm";
import { FAULT_CORRUPT, FAULT_OUT_OF_MEMORY, FAULT_TRUNCATED } from "./decoder-status.ts";

export interface WebpDecoderModule {
  highWater(): number;
  startAt(address: number): boolean;
  allocateFile(bytes: number): number;
  begin(address: number, bytes: number): number;
  width(): number;
  height(): number;
  decodeRow(): number;
  bytesOfRow(): number;
  rowsAddress(): number;
  beginAlpha(address: number, bytes: number, reserveBytes: number): number;
  readAlphaHead(): number;
  decodeRowWithAlpha(): number;
  joinedRowsAddress(): number;
  openLossless(
    width: number,
    height: number,
    reserveBytes: number,
    samples: number,
    batchRows: number,
  ): number;
  inputAddress(): number;
  inputRoom(): number;
  addInput(bytes: number): void;
  endInput(): void;
  readHead(): number;
  decodeRows(): number;
  losslessRowsAddress(): number;
}

/** Work units of one step before the first row: 65,536 pixels of an image, or 64 prefix codes. */
export const HEAD_STEP_WORK = 600_000;

export type WebpErrorCode = "CORRUPT" | "TRUNCATED" | "OUT_OF_MEMORY";

export class WebpDecodeError extends BuildError {
  override readonly name = "WebpDecodeError";
  readonly code: WebpErrorCode;

  constructor(code: WebpErrorCode, message: string) {
    super(code === "OUT_OF_MEMORY" ? "out-of-memory" : "corrupt", "decode", message);
    this.code = code;
  }
}

const FAULTS: Record<number, [code: WebpErrorCode, message: string]> = {
  [FAULT_CORRUPT]: ["CORRUPT", "The data of the picture are invalid"],
  [FAULT_TRUNCATED]: ["TRUNCATED", "The data end before the picture does"],
  [FAULT_OUT_OF_MEMORY]: ["OUT_OF_MEMORY", "The picture needs more memory than was planned"],
};

export function faultOf(status: number): WebpDecodeError {
  const [code, message] = FAULTS[status] ?? ["CORRUPT", `fault ${status}`];
  return new WebpDecodeError(code, message);
}

/**
 * Returns a new instance, in memory that is all zeros.
 * @param start the address below which others have data, behind the module's own; 0 for none
 * @throws WebpDecodeError when the memory is at its end
 */
export function newWebpDecoder({
  memory,
  start = 0,
}: Pick<RowWorkspace, "memory" | "start">): WebpDecoderModule {
  const abort = (): never => {
    throw faultOf(FAULT_OUT_OF_MEMORY);
  };
  const instance = new WebAssembly.Instance(module, { env: { memory, abort } });
  const decoder = instance.exports as unknown as WebpDecoderModule;
  if (!decoder.startAt(start)) throw faultOf(FAULT_OUT_OF_MEMORY);
  return decoder;
}
