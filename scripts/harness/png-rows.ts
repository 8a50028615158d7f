/** Helpers for tests of row codecs: pictures as rows, rows as pictures, facts from a header. */
import type { PngFacts } from "../../src/image/model/facts.ts";
import { decodePng } from "../../src/builder/codecs/png/decoder.ts";
import type { ReadAgain } from "../../src/builder/streams/range-reader.ts";
import type { RowSource } from "../../src/builder/pixels/row-source.ts";
import type { RowWorkspace } from "../../src/builder/scheduling/row-workspace.ts";
import { WorkMeter } from "../../src/builder/scheduling/work-meter.ts";
import { CHANNELS_OF } from "../../src/image/memory/rows.ts";

export interface Picture {
  width: number;
  height: number;
  layout: RowSource["layout"];
  data: Uint8Array;
}

/** Returns a small memory that may grow to `pages` of 64 KiB. */
export function newMemory(pages = 1024): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 1, maximum: pages });
}

/** Returns the workspace of a row codec, with a memory of its own unless one is given. */
export const workspaceIn = (
  memory: WebAssembly.Memory = newMemory(),
  yieldOnce?: () => Promise<void>,
): RowWorkspace => ({ memory, work: new WorkMeter(yieldOnce) });

/** Returns a picture as a source that hands out `batch` rows at once and overwrites them afterwards. */
export function rowsOf(picture: Picture, batch = 7): RowSource {
  const rowBytes = picture.width * CHANNELS_OF[picture.layout];
  const buffer = new Uint8Array(batch * rowBytes);
  let at = 0;
  return {
    width: picture.width,
    height: picture.height,
    layout: picture.layout,
    next() {
      buffer.fill(0xaa);
      const rows = picture.data.subarray(at, at + buffer.length);
      at += rows.length;
      buffer.set(rows);
      return Promise.resolve(rows.length > 0 ? buffer.subarray(0, rows.length) : null);
    },
  };
}

/** Collects all rows of a source. */
export async function collectRows(source: RowSource): Promise<Picture> {
  const parts: Uint8Array[] = [];
  for (let rows = await source.next(); rows; rows = await source.next()) parts.push(rows.slice());
  return { width: source.width, height: source.height, layout: source.layout, data: Buffer.concat(parts) };
}

/** Returns the facts that the probe would find for a file with a valid IHDR as its first chunk. */
export function factsOf(png: Uint8Array): PngFacts {
  const view = new DataView(png.buffer, png.byteOffset);
  const colourType = view.getUint8(25) as PngFacts["colourType"];
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  return {
    format: "png",
    width,
    height,
    codedWidth: width,
    codedHeight: height,
    orientation: 1,
    frames: 1,
    animated: false,
    hasAlpha: colourType >= 4 || Buffer.from(png).includes("tRNS"),
    bitDepth: view.getUint8(24),
    colour: colourType === 3 ? "palette" : colourType === 0 || colourType === 4 ? "gray" : "rgb",
    profile: "none",
    interlaced: view.getUint8(28) === 1,
    colourType,
  };
}

/** Yields the bytes in pieces that end at `cuts`. */
export async function* inPieces(bytes: Uint8Array, cuts: readonly number[] = []): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    await Promise.resolve();
    yield bytes.subarray(from, Math.max(from, cut));
    from = Math.max(from, cut);
  }
}

/** Reads ranges of a file in memory, in pieces of `pieceBytes` that all use the same buffer. */
export function readAgainFrom(png: Uint8Array, pieceBytes = 700): ReadAgain {
  return async function* (from, end) {
    const buffer = new Uint8Array(pieceBytes);
    for (let at = from; at < end; at += pieceBytes) {
      const piece = png.subarray(at, Math.min(end, at + pieceBytes));
      buffer.set(piece);
      await Promise.resolve();
      yield buffer.subarray(0, piece.length);
      buffer.fill(0xaa);
    }
  };
}

/** Decodes an interlaced picture with parallel passes, however small it is. */
export async function decodeSideBySide(
  png: Uint8Array,
  cuts: readonly number[] = [],
  pieceBytes?: number,
): Promise<Picture> {
  const again = readAgainFrom(png, pieceBytes);
  return collectRows(await decodePng(workspaceIn(), inPieces(png, cuts), factsOf(png), again));
}

export async function decodeWhole(png: Uint8Array, cuts: readonly number[] = []): Promise<Picture> {
  return collectRows(await decodePng(workspaceIn(), inPieces(png, cuts), factsOf(png)));
}

/** Returns the peak signal-to-noise ratio in dB. */
export function psnr(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) throw new Error(`Lengths differ: ${a.length} and ${b.length}`);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] as number) - (b[i] as number)) ** 2;
  return 10 * Math.log10((255 * 255 * a.length) / sum);
}
