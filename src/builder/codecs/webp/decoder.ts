/** Decodes lossy WebP without alpha, in rows: the JavaScript side of assembly/decoder. */
import type { WebpFacts } from "../../../image/model/facts.ts";
import { readAll } from "../../streams/source.ts";
import { BuildError } from "../../failures/build-error.ts";
import module from "../../wasm/vp8-decoder.wasm";
import type { RowSource } from "../../pixels/row-source.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import { FAULT_CORRUPT, FAULT_OUT_OF_MEMORY, FAULT_TRUNCATED } from "./decoder-status.ts";

/** The module's exports; see assembly/decoder/index.ts. */
interface Decoder {
  allocateFile(bytes: number): number;
  begin(address: number, bytes: number): number;
  width(): number;
  height(): number;
  decodeRow(): number;
  bytesOfRow(): number;
  rowsAddress(): number;
  highWater(): number;
}

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
  [FAULT_CORRUPT]: ["CORRUPT", "The picture is not a VP8 key frame"],
  [FAULT_TRUNCATED]: ["TRUNCATED", "A partition ends before the picture does"],
  [FAULT_OUT_OF_MEMORY]: ["OUT_OF_MEMORY", "The decoder's memory is at its end"],
};

function faultOf(status: number): WebpDecodeError {
  const [code, message] = FAULTS[status] ?? ["CORRUPT", `fault ${status}`];
  return new WebpDecodeError(code, message);
}

/** Work units per pixel of a row of macroblocks, and per byte that the row is read from. */
const PIXEL_WORK = 15;
const BYTE_WORK = 25;
const MACROBLOCK_ROWS = 16;
const RGB_BYTES = 3;

/** Rows of RGB, and the memory that decoding them takes. */
export interface WebpRowSource extends RowSource {
  readonly layout: "rgb";
  peakBytes(): number;
}

/**
 * Reads `master`, which has exactly `sourceBytes`, into the memory, and decodes it there row by row.
 * @param locate finds the content of the VP8 chunk in the file
 * @throws SourceLost when the master does not arrive
 * @throws WebpDecodeError here, or from `next()`
 * @throws what `locate` throws
 */
export async function decodeVp8(
  { memory, work }: RowWorkspace,
  master: ReadableStream<Uint8Array>,
  sourceBytes: number,
  facts: Pick<WebpFacts, "codedWidth" | "codedHeight">,
  locate: (file: Uint8Array) => { from: number; to: number },
): Promise<WebpRowSource> {
  const decoder = instantiate(memory);
  const start = decoder.allocateFile(sourceBytes);
  if (start === 0) throw faultOf(FAULT_OUT_OF_MEMORY);
  await readAll(master, (chunk, offset) => new Uint8Array(memory.buffer).set(chunk, start + offset));
  const { from, to } = locate(new Uint8Array(memory.buffer, start, sourceBytes));
  const fault = decoder.begin(start + from, to - from);
  if (fault < 0) throw faultOf(fault);
  const [width, height] = [decoder.width(), decoder.height()];
  if (width !== facts.codedWidth || height !== facts.codedHeight) {
    throw new WebpDecodeError("CORRUPT", "The frame does not have the size that was probed");
  }
  let given = 0;
  return {
    width,
    height,
    layout: "rgb",
    peakBytes: () => decoder.highWater(),
    async next() {
      if (given === height) return null;
      await work.spend(width * MACROBLOCK_ROWS * PIXEL_WORK + decoder.bytesOfRow() * BYTE_WORK);
      const count = decoder.decodeRow();
      if (count < 0) throw faultOf(count);
      given += count;
      return new Uint8Array(memory.buffer, decoder.rowsAddress(), count * width * RGB_BYTES);
    },
  };
}

function instantiate(memory: WebAssembly.Memory): Decoder {
  const abort = (): never => {
    throw faultOf(FAULT_OUT_OF_MEMORY);
  };
  return new WebAssembly.Instance(module, { env: { memory, abort } }).exports as unknown as Decoder;
}
