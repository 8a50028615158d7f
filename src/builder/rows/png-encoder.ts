/** PNG variants in rows: filtered in WebAssembly, compressed by the platform. */
import { PNG_SCRATCH_BYTES } from "../../image/memory/png.ts";
import { CHANNELS_OF, type RowLayout, rowsPerBatch, wholePages } from "../../image/memory/rows.ts";
import { PlatformTransform } from "./platform-transform.ts";
import { crcOf, instantiatePng, type PngModule, SIGNATURE } from "./png-module.ts";
import type { RowSource } from "./row-source.ts";
import { RowMemoryError, RowShortageError, WorkMeter } from "./row-work.ts";

/** Colour types (PNG specification, clause 11.2.1). */
const COLOUR_TYPE: Record<RowLayout, number | null> = {
  gray: 0,
  "gray-alpha": 4,
  rgb: 2,
  rgba: 6,
  cmyk: null,
};
/** Data of an IDAT chunk. */
const IDAT_BYTES = 16_384;
const NONE = new Uint8Array();

/**
 * Encodes rows as an 8-bit PNG of the same layout, with adaptive filters and an sRGB chunk, without metadata.
 * Its length is known only at the end.
 *
 * @param memory zero-filled and this call's alone until the last chunk was read
 * @param counted told how many bytes of the memory are taken
 * @throws RowMemoryError, RowShortageError; RangeError for CMYK, which PNG does not have
 */
export async function* encodePng(
  memory: WebAssembly.Memory,
  source: RowSource,
  turn: () => Promise<void>,
  counted?: (bytes: number) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const colourType = COLOUR_TYPE[source.layout];
  if (colourType === null) throw new RangeError("PNG has no CMYK");
  const wasm = instantiatePng(memory);
  const filtered = new FilteredRows(memory, wasm, source, new WorkMeter(turn));
  counted?.(wholePages(wasm.used()));
  const chunk = (type: string, data: Uint8Array): Uint8Array<ArrayBuffer> =>
    makeChunk(memory, wasm, type, data);

  yield SIGNATURE.slice();
  yield chunk("IHDR", frameHeader(source.width, source.height, colourType));
  // Perceptual rendering intent (clause 11.3.3.5).
  yield chunk("sRGB", Uint8Array.of(0));
  const deflated = new PlatformTransform(new CompressionStream("deflate"), () => filtered.next(), turn);
  const data = new Uint8Array(IDAT_BYTES);
  let length = 0;
  try {
    for (let piece = await deflated.read(); piece; piece = await deflated.read()) {
      for (let at = 0; at < piece.length;) {
        const part = piece.subarray(at, at + IDAT_BYTES - length);
        data.set(part, length);
        at += part.length;
        length += part.length;
        if (length < IDAT_BYTES) continue;
        yield chunk("IDAT", data);
        length = 0;
      }
    }
    if (length > 0) yield chunk("IDAT", data.subarray(0, length));
    yield chunk("IEND", NONE);
  } finally {
    await deflated.cancel(new Error("The picture is given up"));
  }
}

/** Source rows after filtering, each with its filter type: what is to be compressed. */
class FilteredRows {
  readonly #memory: WebAssembly.Memory;
  readonly #wasm: PngModule;
  readonly #source: RowSource;
  readonly #meter: WorkMeter;
  readonly #rowBytes: number;
  readonly #batchRows: number;
  #rows: Uint8Array = NONE;
  #rowsLeft: number;

  constructor(memory: WebAssembly.Memory, wasm: PngModule, source: RowSource, meter: WorkMeter) {
    const channels = CHANNELS_OF[source.layout];
    this.#memory = memory;
    this.#wasm = wasm;
    this.#source = source;
    this.#meter = meter;
    this.#rowBytes = source.width * channels;
    this.#rowsLeft = source.height;
    this.#batchRows = rowsPerBatch(this.#rowBytes, source.height);
    if (!wasm.prepare(PNG_SCRATCH_BYTES) || !wasm.configureEncoder(source.width, channels, this.#batchRows)) {
      throw new RowMemoryError("The rows of a PNG do not fit the memory given");
    }
  }

  async next(): Promise<Uint8Array | null> {
    if (this.#rowsLeft === 0) return null;
    if (this.#rows.length === 0) {
      const rows = await this.#source.next();
      if (!rows) throw new RowShortageError("The picture to be encoded ended before its last row");
      this.#rows = rows;
    }
    const bytes = Math.min(this.#rows.length, this.#batchRows * this.#rowBytes);
    const count = bytes / this.#rowBytes;
    new Uint8Array(this.#memory.buffer, this.#wasm.sourceAddress(), bytes).set(this.#rows.subarray(0, bytes));
    this.#rows = this.#rows.subarray(bytes);
    this.#rowsLeft -= count;
    this.#wasm.encode(count);
    // Filtering and, where the platform does it on this thread, compressing.
    await this.#meter.spend(40 * bytes);
    return new Uint8Array(this.#memory.buffer, this.#wasm.filteredAddress(), bytes + count);
  }
}

/** IHDR (clause 11.2.1): 8 bits a sample, not interlaced. */
function frameHeader(width: number, height: number, colourType: number): Uint8Array {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  data[8] = 8;
  data[9] = colourType;
  return data;
}

/** Length, type, data and CRC (clause 5.3). */
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
