/** PNG masters in rows: chunks as they arrive, inflated and unfiltered in WebAssembly. */
import type { PngFacts } from "../../image/master.ts";
import { PNG_SAMPLES, PNG_SCRATCH_BYTES, pngLayoutOf, pngRowsPerBatch } from "../../image/memory/png.ts";
import { CHANNELS_OF, wholePages } from "../../image/memory/rows.ts";
import { ChunkReader } from "./png-chunks.ts";
import { PngDecodeError } from "./png-error.ts";
import { type PngHeader, readHeader } from "./png-header.ts";
import { InflatedData } from "./png-inflated.ts";
import { crcOf, instantiatePng, type PngModule } from "./png-module.ts";
import type { RowSource } from "./row-source.ts";
import { WorkMeter } from "./row-work.ts";

export { PngDecodeError, type PngErrorCode } from "./png-error.ts";

interface Pass {
  readonly columns: number;
  readonly rows: number;
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

/** Adam7 (PNG specification, clause 8.2): where the passes begin and how far their pixels are apart. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export interface PngRows extends RowSource {
  /** Bytes of WebAssembly memory that it takes, from the first row to the last. */
  readonly memoryBytes: number;
  /** Lets go of the stream when no more rows are wanted. */
  cancel(): void;
}

/**
 * Decodes a PNG to 8 bits a sample: gray, gray-alpha, rgb or rgba by its colour type and tRNS. Reads up to the
 * first pixels before it returns; the rest as rows are asked for. Of an animated PNG the default image. The
 * last rows come only after the whole file was seen to be sound.
 *
 * @param memory zero-filled and this call's alone until the last row was read
 * @param body the file; what it yields must keep its content until the next is asked for
 * @param facts what the probe learned; a file that says otherwise is CORRUPT
 * @param turn gives the event loop a turn
 * @throws PngDecodeError here or from `next`
 */
export async function decodePng(
  memory: WebAssembly.Memory,
  body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  facts: PngFacts,
  turn: () => Promise<void>,
): Promise<PngRows> {
  const wasm = instantiatePng(memory);
  if (!wasm.prepare(PNG_SCRATCH_BYTES)) throw outOfMemory();
  const chunks = new ChunkReader(body, (bytes, before) => crcOf(wasm, memory, bytes, before));
  try {
    const header = await readHeader(chunks);
    if (
      header.width !== facts.codedWidth ||
      header.height !== facts.codedHeight ||
      header.bitDepth !== facts.bitDepth ||
      header.colourType !== facts.colourType ||
      header.interlaced !== facts.interlaced
    ) {
      throw corrupt("It is not the picture that was probed");
    }
    return new DecodedRows(memory, wasm, chunks, header, turn);
  } catch (error) {
    chunks.cancel();
    throw error;
  }
}

class DecodedRows implements PngRows {
  readonly width: number;
  readonly height: number;
  readonly layout: RowSource["layout"];
  readonly #memory: WebAssembly.Memory;
  readonly #wasm: PngModule;
  readonly #header: PngHeader;
  readonly #meter: WorkMeter;
  readonly #inflated: InflatedData;
  readonly #batchRows: number;
  #rowsGiven = 0;
  #isAssembled = false;

  constructor(
    memory: WebAssembly.Memory,
    wasm: PngModule,
    chunks: ChunkReader,
    header: PngHeader,
    turn: () => Promise<void>,
  ) {
    const { width, height, transparency } = header;
    this.width = width;
    this.height = height;
    this.layout = pngLayoutOf(header.colourType, header.colourType >= 4 || transparency !== null);
    this.#memory = memory;
    this.#wasm = wasm;
    this.#header = header;
    this.#meter = new WorkMeter(turn);
    this.#batchRows = pngRowsPerBatch(this.#codedBytes(width) + 1, height);
    const isKeyed = transparency !== null && header.colourType !== 3;
    const fits = wasm.configureDecoder(
      width,
      header.bitDepth,
      header.colourType,
      CHANNELS_OF[this.layout],
      isKeyed ? 1 : 0,
      this.#batchRows,
      header.interlaced ? height : 0,
    );
    if (!fits) throw outOfMemory();
    if (header.palette) this.#writePalette(header.palette, transparency);
    if (isKeyed) this.#writeKey(transparency);
    if (!header.interlaced) wasm.startPass(width, 0, 0, 1, 1);
    this.#inflated = new InflatedData(memory, wasm, chunks, this.#meter);
  }

  get memoryBytes(): number {
    return wholePages(this.#wasm.used());
  }

  async next(): Promise<Uint8Array | null> {
    if (this.#rowsGiven === this.height) return null;
    try {
      return this.#header.interlaced ? await this.#nextAssembled() : await this.#nextDecoded();
    } catch (error) {
      this.#inflated.cancel();
      throw error;
    }
  }

  cancel(): void {
    this.#inflated.cancel();
  }

  /** Bytes of a row of so many pixels, as coded and without its filter type. */
  #codedBytes(columns: number): number {
    return Math.ceil((columns * PNG_SAMPLES[this.#header.colourType] * this.#header.bitDepth) / 8);
  }

  #writePalette(palette: Uint8Array, alpha: Uint8Array | null): void {
    const table = new Uint8Array(this.#memory.buffer, this.#wasm.paletteAddress(), 1024);
    for (let entry = 0; entry < 256; entry++) {
      table.set(palette.subarray(3 * entry, 3 * entry + 3), 4 * entry);
      table[4 * entry + 3] = alpha?.[entry] ?? 255;
    }
  }

  /** Of each 16-bit value only the bits of the depth count (clause 11.3.2.1). */
  #writeKey(transparency: Uint8Array): void {
    const view = new DataView(transparency.buffer, transparency.byteOffset, transparency.length);
    const key = new Uint32Array(this.#memory.buffer, this.#wasm.keyAddress(), 3);
    const mask = 2 ** this.#header.bitDepth - 1;
    for (let i = 0; 2 * i < transparency.length; i++) key[i] = view.getUint16(2 * i) & mask;
  }

  async #nextDecoded(): Promise<Uint8Array> {
    const count = Math.min(this.#batchRows, this.height - this.#rowsGiven);
    await this.#decode(count, this.width);
    this.#rowsGiven += count;
    if (this.#rowsGiven === this.height) await this.#inflated.finish();
    const bytes = count * this.width * CHANNELS_OF[this.layout];
    return new Uint8Array(this.#memory.buffer, this.#wasm.rowsAddress(), bytes);
  }

  async #nextAssembled(): Promise<Uint8Array> {
    if (!this.#isAssembled) {
      for (const pass of this.#passes()) await this.#decodePass(pass);
      await this.#inflated.finish();
      this.#isAssembled = true;
    }
    const rowBytes = this.width * CHANNELS_OF[this.layout];
    const count = Math.min(pngRowsPerBatch(rowBytes, this.height), this.height - this.#rowsGiven);
    const at = this.#wasm.pictureAddress() + this.#rowsGiven * rowBytes;
    this.#rowsGiven += count;
    return new Uint8Array(this.#memory.buffer, at, count * rowBytes);
  }

  /** The passes that hold pixels; small pictures lack some. */
  #passes(): Pass[] {
    return ADAM7.map(([x, y, dx, dy]) => ({
      columns: Math.ceil((this.width - x) / dx),
      rows: Math.ceil((this.height - y) / dy),
      x,
      y,
      dx,
      dy,
    })).filter(({ columns, rows }) => columns > 0 && rows > 0);
  }

  async #decodePass({ columns, rows, x, y, dx, dy }: Pass): Promise<void> {
    this.#wasm.startPass(columns, x, y, dx, dy);
    for (let done = 0; done < rows;) {
      const count = Math.min(this.#batchRows, rows - done);
      await this.#decode(count, columns);
      done += count;
    }
  }

  /** Inflates, unfilters and expands the next rows of the current pass. */
  async #decode(count: number, columns: number): Promise<void> {
    const wanted = count * (this.#codedBytes(columns) + 1);
    await this.#inflated.need(wanted);
    if (!this.#wasm.decode(count)) throw corrupt("A row has a filter type that does not exist");
    await this.#meter.spend(4 * Math.max(wanted, count * columns));
  }
}

function corrupt(message: string): PngDecodeError {
  return new PngDecodeError("CORRUPT", message);
}

function outOfMemory(): PngDecodeError {
  return new PngDecodeError("OUT_OF_MEMORY", "Its rows do not fit the memory given");
}
