/**
 * Encodes PNG variants in rows, which are filtered and deflated in WebAssembly. A CompressionStream would leave so much
 * garbage to V8 that the process grows by tens of megabytes with a large picture.
 */
import type { RowLayout } from "../../../image/memory/rows.ts";
import type { PngEffort } from "../../../image/formats/png/encoder-options.ts";
import { FilteredRows } from "./filtered-rows.ts";
import { crcOf, instantiatePng, type PngModule, SIGNATURE } from "./module.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import type { Size } from "../../../image/geometry/size.ts";
import { wholePages } from "../../../image/memory/pages.ts";

/** Colour types (PNG specification, clause 11.2.1). */
const COLOUR_TYPE: Record<RowLayout, number | null> = {
  gray: 0,
  "gray-alpha": 4,
  rgb: 2,
  rgba: 6,
  cmyk: null,
};
const PALETTE_TYPE = 3;
/** Bits per sample of a picture that is not reduced. */
const DEPTH = 8;
const NONE = new Uint8Array();

/**
 * Encodes rows as an 8-bit PNG of the same layout, with an sRGB chunk, without metadata. Each batch of rows is filtered
 * in the way that is estimated to deflate best, and symbols are chosen by the bits that they take. A picture of at
 * most 256 colours gets a palette or grey levels with as few bits as hold them, without loss. The length of the file
 * is known only at its end.
 *
 * @throws RowMemoryError when the memory is too small
 * @throws RowShortageError when the source ends early
 * @throws RangeError for CMYK, which PNG does not have
 */
export async function* encodePng(
  { memory, work, counted }: RowWorkspace,
  source: RowSource,
  effort: PngEffort,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const colourType = COLOUR_TYPE[source.layout];
  if (colourType === null) throw new RangeError("PNG has no CMYK");
  const wasm = instantiatePng(memory);
  const filtered = new FilteredRows(memory, wasm, source, work, effort);
  counted?.(wholePages(wasm.used()));
  const chunk = (type: string, data: Uint8Array): Uint8Array<ArrayBuffer> =>
    makeChunk(memory, wasm, type, data);

  const isReduced = await filtered.reduce();
  yield SIGNATURE.slice();
  yield chunk(
    "IHDR",
    isReduced
      ? frameHeader(source, wasm.reducedBits(), wasm.reducedColourType())
      : frameHeader(source, DEPTH, colourType),
  );
  // Perceptual rendering intent (clause 11.3.3.5).
  yield chunk("sRGB", Uint8Array.of(0));
  if (isReduced && wasm.reducedColourType() === PALETTE_TYPE) {
    const bytes = (address: number, length: number): Uint8Array =>
      new Uint8Array(memory.buffer, address, length);
    yield chunk("PLTE", bytes(wasm.entriesAddress(), 3 * wasm.heldColours()));
    if (wasm.alphaEntries() > 0) yield chunk("tRNS", bytes(wasm.alphasAddress(), wasm.alphaEntries()));
  }
  while (await filtered.next()) {
    const isLast = Number(filtered.isAtEnd);
    while (wasm.deflateFiltered(isLast)) yield nextIdat(memory, wasm);
  }
  if (wasm.idatBytes() > 0) yield nextIdat(memory, wasm);
  yield chunk("IEND", NONE);
}

/** Copies the IDAT chunk that is ready out of the module, and begins the next one. */
export function nextIdat(memory: WebAssembly.Memory, wasm: PngModule): Uint8Array<ArrayBuffer> {
  const length = wasm.makeChunk();
  const idat = new Uint8Array(memory.buffer, wasm.chunkAddress(), length).slice();
  wasm.takeIdat();
  return idat;
}

/** Returns IHDR (clause 11.2.1), not interlaced. */
function frameHeader({ width, height }: Size, depth: number, colourType: number): Uint8Array {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  data[8] = depth;
  data[9] = colourType;
  return data;
}

/** Returns a chunk: length, type, data and CRC (clause 5.3). */
function makeChunk(
  memory: WebAssembly.Memory,
  wasm: PngModule,
  type: string,
  data: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(data.length + 12);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) chunk[4 + i] = type.charCodeAt(i);
  chunk.set(data, 8);
  view.setUint32(data.length + 8, crcOf(wasm, memory, chunk.subarray(4, data.length + 8), 0));
  return chunk;
}
