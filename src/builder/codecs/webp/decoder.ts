/** Decodes lossy WebP in rows, with its alpha or without: the JavaScript side of assembly/decoder. */
import { webpAlphaReserveBytes } from "../../../image/formats/webp/decoder-memory.ts";
import type { WebpFacts } from "../../../image/model/facts.ts";
import type { Size } from "../../../image/geometry/size.ts";
import { readAll } from "../../streams/source.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import {
  faultOf,
  HEAD_STEP_WORK,
  newWebpDecoder,
  WebpDecodeError,
  type WebpDecoderModule,
} from "./decoder-module.ts";
import { FAULT_OUT_OF_MEMORY, WORKING } from "./decoder-status.ts";

export { WebpDecodeError } from "./decoder-module.ts";

/** Work units per pixel of a row of macroblocks, with alpha or without, and per byte that the row is read from. */
const PIXEL_WORK = 15;
const ALPHA_PIXEL_WORK = 22;
const BYTE_WORK = 25;
const MACROBLOCK_ROWS = 16;

/** Offsets in the file where the content of a chunk begins and ends. */
export interface Span {
  from: number;
  to: number;
}

/** The chunk VP8, and where rows are to have alpha, that of alpha; null if the file has none, so that they are opaque. */
export interface Located extends Span {
  alpha?: Span | null;
  /** The size of a frame that does not cover the canvas. */
  size?: Size;
}

/** Rows of RGB, or RGBA, and the memory that decoding them takes. */
export interface WebpRowSource extends RowSource {
  readonly layout: "rgb" | "rgba";
  peakBytes(): number;
}

/**
 * Reads `master`, which has exactly `sourceBytes`, into the memory, and decodes it there row by row.
 * @param locate finds the picture in the file
 * @throws SourceLost when the master does not arrive
 * @throws WebpDecodeError here, or from `next()`
 * @throws what `locate` throws
 */
export async function decodeVp8(
  workspace: RowWorkspace,
  master: ReadableStream<Uint8Array>,
  sourceBytes: number,
  { codedWidth, codedHeight }: Pick<WebpFacts, "codedWidth" | "codedHeight">,
  locate: (file: Uint8Array) => Located,
): Promise<WebpRowSource> {
  const { memory, work } = workspace;
  const decoder = newWebpDecoder(workspace);
  const start = decoder.allocateFile(sourceBytes);
  if (start === 0) throw faultOf(FAULT_OUT_OF_MEMORY);
  await readAll(master, (chunk, offset) => new Uint8Array(memory.buffer).set(chunk, start + offset));
  const located = locate(new Uint8Array(memory.buffer, start, sourceBytes));
  const { from, to, alpha, size = { width: codedWidth, height: codedHeight } } = located;
  const fault = decoder.begin(start + from, to - from);
  if (fault < 0) throw faultOf(fault);
  const [width, height] = [decoder.width(), decoder.height()];
  if (width !== size.width || height !== size.height) {
    throw new WebpDecodeError("CORRUPT", "The frame does not have the size that was probed");
  }
  const hasAlpha = alpha !== undefined;
  if (hasAlpha) await beginAlpha(decoder, alpha, start, size, work);
  const pixelWork = hasAlpha ? ALPHA_PIXEL_WORK : PIXEL_WORK;
  let given = 0;
  return {
    width,
    height,
    layout: hasAlpha ? "rgba" : "rgb",
    peakBytes: () => decoder.highWater(),
    async next() {
      if (given === height) return null;
      await work.spend(width * MACROBLOCK_ROWS * pixelWork + decoder.bytesOfRow() * BYTE_WORK);
      const count = hasAlpha ? decoder.decodeRowWithAlpha() : decoder.decodeRow();
      if (count < 0) throw faultOf(count);
      given += count;
      const rows = hasAlpha ? decoder.joinedRowsAddress() : decoder.rowsAddress();
      return new Uint8Array(memory.buffer, rows, count * width * (hasAlpha ? 4 : 3));
    },
  };
}

async function beginAlpha(
  decoder: WebpDecoderModule,
  alpha: Span | null,
  start: number,
  size: Size,
  work: RowWorkspace["work"],
): Promise<void> {
  const reserveBytes = webpAlphaReserveBytes(size);
  let status = alpha
    ? decoder.beginAlpha(start + alpha.from, alpha.to - alpha.from, reserveBytes)
    : decoder.beginAlpha(0, 0, 0);
  while (status === WORKING) {
    status = decoder.readAlphaHead();
    await work.spend(HEAD_STEP_WORK);
  }
  if (status < 0) throw faultOf(status);
}
