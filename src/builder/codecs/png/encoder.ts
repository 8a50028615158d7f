/**
 * Encodes PNG variants in rows, which are filtered and deflated in WebAssembly. A CompressionStream would leave so much
 * garbage to V8 that the process grows by tens of megabytes with a large picture.
 */
import { PNG_IDAT_BYTES, PNG_SCRATCH_BYTES } from "../../../image/formats/png/memory.ts";
import { CHANNELS_OF, type RowLayout, rowsPerBatch } from "../../../image/memory/rows.ts";
import { crcOf, instantiatePng, type PngModule, SIGNATURE } from "./module.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import { RowMemoryError, RowShortageError } from "../../scheduling/row-errors.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import { wholePages } from "../../../image/memory/pages.ts";

/** Colour types (PNG specification, clause 11.2.1). */
const COLOUR_TYPE: Record<RowLayout, number | null> = {
  gray: 0,
  "gray-alpha": 4,
  rgb: 2,
  rgba: 6,
  cmyk: null,
};
/** Work units per byte of rows: filtering and deflating a photograph. */
const WORK_PER_BYTE = 40;
const NONE = new Uint8Array();

/**
 * Encodes rows as an 8-bit PNG of the same layout, with adaptive filters and an sRGB chunk, without metadata. The
 * length of the file is known only at its end.
 *
 * @throws RowMemoryError when the memory is too small
 * @throws RowShortageError when the source ends early
 * @throws RangeError for CMYK, which PNG does not have
 */
export async function* encodePng(
  { memory, work, counted }: RowWorkspace,
  source: RowSource,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const colourType = COLOUR_TYPE[source.layout];
  if (colourType === null) throw new RangeError("PNG has no CMYK");
  const wasm = instantiatePng(memory);
  const filtered = new FilteredRows(memory, wasm, source, work);
  counted?.(wholePages(wasm.used()));
  const chunk = (type: string, data: Uint8Array): Uint8Array<ArrayBuffer> =>
    makeChunk(memory, wasm, type, data);

  yield SIGNATURE.slice();
  yield chunk("IHDR", frameHeader(source.width, source.height, colourType));
  // Perceptual rendering intent (clause 11.3.3.5).
  yield chunk("sRGB", Uint8Array.of(0));
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

/** Takes rows from the source, and has the module filter them in batches. */
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
    if (
      !wasm.prepare(PNG_SCRATCH_BYTES) ||
      !wasm.configureEncoder(source.width, channels, this.#batchRows, PNG_IDAT_BYTES)
    ) {
      throw new RowMemoryError("encode", "The rows of a PNG do not fit the memory given");
    }
  }

  /** Whether no rows are left. */
  get isAtEnd(): boolean {
    return this.#rowsLeft === 0;
  }

  /** Filters the next batch of rows. @returns false when there was none */
  async next(): Promise<boolean> {
    if (this.isAtEnd) return false;
    if (this.#rows.length === 0) {
      const rows = await this.#source.next();
      if (!rows) throw new RowShortageError("The picture to be encoded ended before its last row");
      this.#rows = rows;
    }
    const bytes = Math.min(this.#rows.length, this.#batchRows * this.#rowBytes);
    const count = bytes / this.#rowBytes;
    // Deflating is counted here, before the caller does it.
    await this.#meter.spend(WORK_PER_BYTE * bytes);
    new Uint8Array(this.#memory.buffer, this.#wasm.sourceAddress(), bytes).set(this.#rows.subarray(0, bytes));
    this.#rows = this.#rows.subarray(bytes);
    this.#rowsLeft -= count;
    this.#wasm.addFiltered(this.#wasm.filterRows(count));
    return true;
  }
}

/** IHDR (clause 11.2.1): 8 bits per sample, not interlaced. */
function frameHeader(width: number, height: number, colourType: number): Uint8Array {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  data[8] = 8;
  data[9] = colourType;
  return data;
}

/** A chunk: length, type, data and CRC (clause 5.3). */
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
