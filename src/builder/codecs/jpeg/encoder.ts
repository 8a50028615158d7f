/** JPEG variants in rows: baseline, with Huffman tables made for the picture. */
import { JPEG_OUT_BYTES, jpegTokenBytes, mcuSizeOf } from "../../../image/formats/jpeg/encoder-memory.ts";
import { CHANNELS_OF, rowsPerBatch, wholePages } from "../../../image/memory/rows.ts";
import module from "../../wasm/jpeg-encoder.wasm";
import { codesOf, type HuffmanTable, isSymbol, optimalTable, quantTables, ZIGZAG } from "./huffman-tables.ts";
import { frameHeader, scanHeader } from "./markers.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import { RowMemoryError, RowShortageError, WorkMeter } from "../../scheduling/work-meter.ts";

export interface JpegOptions {
  /** 1 to 100 on libjpeg's scale. */
  readonly quality: number;
  readonly chroma: "420" | "444";
  /** Told how many bytes of the memory are taken. */
  readonly counted?: (bytes: number) => void;
}

interface Exports {
  configure(
    width: number,
    channels: number,
    halved: number,
    stagedRows: number,
    tokenBytes: number,
    outBytes: number,
  ): number;
  stagingAddress(): number;
  quantTablesAddress(): number;
  frequenciesAddress(): number;
  codesAddress(): number;
  outputAddress(): number;
  used(): number;
  prepareQuantisation(): void;
  push(from: number, count: number): number;
  finish(): number;
  prepareCodes(): void;
  emit(): number;
  flush(): number;
}

/** How often a symbol was counted weighs so much more than that it may yet come. */
const COUNTED_WEIGHT = 16;
const EOI = Uint8Array.of(0xff, 0xd9);

/**
 * Encodes rows as a baseline JFIF file without other metadata: libjpeg's quantisation tables, accurate integer
 * DCT, optimised Huffman tables. gray gives one component; rgb gives YCbCr; alpha is flattened on white.
 *
 * Rows are quantised to tokens first; the first chunk comes when all are, or when there is no more room for
 * them. The length is known at the end only.
 *
 * @param memory zero-filled and this call's alone until the last chunk was read
 * @throws RowMemoryError, RowShortageError; RangeError for CMYK and for sides over 65,535
 */
export async function* encodeJpeg(
  memory: WebAssembly.Memory,
  source: RowSource,
  options: JpegOptions,
  turn: () => Promise<void>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const encoder = new Encoder(memory, source, options, turn);
  for (let row = 0; row < source.height;) {
    const rows = await source.next();
    if (!rows) throw new RowShortageError("The picture to be encoded ended before its last row");
    row += rows.length / (source.width * CHANNELS_OF[source.layout]);
    yield* encoder.take(rows);
  }
  yield* encoder.end();
}

class Encoder {
  readonly #memory: WebAssembly.Memory;
  readonly #wasm: Exports;
  readonly #source: RowSource;
  readonly #meter: WorkMeter;
  readonly #components: 1 | 3;
  readonly #halved: boolean;
  readonly #rowBytes: number;
  readonly #stagedRows: number;
  readonly #tables: [Uint8Array, Uint8Array];
  #hasCodes = false;

  constructor(
    memory: WebAssembly.Memory,
    source: RowSource,
    { quality, chroma, counted }: JpegOptions,
    turn: () => Promise<void>,
  ) {
    const { width, height, layout } = source;
    if (layout === "cmyk") throw new RangeError("CMYK is to be converted before it is encoded");
    if (width > 65_535 || height > 65_535) throw new RangeError("A side is longer than JPEG allows");
    const channels = CHANNELS_OF[layout];
    const isColour = channels >= 3;
    this.#memory = memory;
    this.#source = source;
    this.#meter = new WorkMeter(turn);
    this.#components = isColour ? 3 : 1;
    this.#halved = mcuSizeOf(isColour, chroma) === 16;
    this.#rowBytes = width * channels;
    this.#stagedRows = rowsPerBatch(this.#rowBytes, height);
    this.#tables = quantTables(quality);
    this.#wasm = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
    const tokenBytes = jpegTokenBytes({ width, height, isColour, quality, chroma });
    const halved = this.#halved ? 1 : 0;
    if (!this.#wasm.configure(width, channels, halved, this.#stagedRows, tokenBytes, JPEG_OUT_BYTES)) {
      throw new RowMemoryError(`Encoding ${width} x ${height} as JPEG does not fit its memory`);
    }
    counted?.(wholePages(this.#wasm.used()));
    const steps = new Uint16Array(memory.buffer, this.#wasm.quantTablesAddress(), 128);
    steps.set(this.#tables[0]);
    steps.set(this.#tables[1], 64);
    this.#wasm.prepareQuantisation();
  }

  /** Takes whole rows; yields chunks when there is no more room for tokens. */
  async *take(rows: Uint8Array): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    const most = this.#stagedRows * this.#rowBytes;
    for (let at = 0; at < rows.length; at += most) {
      const part = rows.subarray(at, at + most);
      const count = part.length / this.#rowBytes;
      new Uint8Array(this.#memory.buffer, this.#wasm.stagingAddress(), part.length).set(part);
      let done = this.#wasm.push(0, count);
      while (done < count) {
        yield* this.#emit();
        done = this.#wasm.push(done, count);
      }
      await this.#meter.spend(6 * part.length);
    }
  }

  async *end(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    if (!this.#wasm.finish()) {
      yield* this.#emit();
      this.#wasm.finish();
      yield* this.#emit();
    } else {
      if (!this.#hasCodes) yield this.#begin(true);
      yield* this.#emit();
    }
    yield this.#output(this.#wasm.flush());
    yield EOI.slice();
  }

  /** Codes all tokens. Before the picture is complete, its tables must have a code for whatever may come. */
  async *#emit(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    if (!this.#hasCodes) yield this.#begin(false);
    for (let bytes = this.#wasm.emit(); bytes > 0; bytes = this.#wasm.emit()) {
      yield this.#output(bytes);
      await this.#meter.spend(10 * bytes);
    }
  }

  #output(bytes: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer, this.#wasm.outputAddress(), bytes).slice();
  }

  /** Makes the Huffman tables of what was counted; returns all that comes before the coded data. */
  #begin(isComplete: boolean): Uint8Array<ArrayBuffer> {
    const counts = new Uint32Array(this.#memory.buffer, this.#wasm.frequenciesAddress(), 1024);
    const codes = new Uint32Array(this.#memory.buffer, this.#wasm.codesAddress(), 2048);
    const tables: HuffmanTable[] = [];
    for (let i = 0; i < (this.#components === 3 ? 4 : 2); i++) {
      const own = counts.subarray(256 * i, 256 * (i + 1));
      const isAc = i % 2 === 1;
      const table = optimalTable(
        isComplete ? own : own.map((n, s) => n * COUNTED_WEIGHT + (isSymbol(s, isAc) ? 1 : 0)),
      );
      codes.set(codesOf(table), 512 * i);
      tables.push(table);
    }
    this.#wasm.prepareCodes();
    this.#hasCodes = true;
    const { width, height } = this.#source;
    const steps = this.#tables
      .slice(0, this.#components === 3 ? 2 : 1)
      .map((table) => ZIGZAG.map((at) => table[at] ?? 1));
    const frame = frameHeader({ width, height, components: this.#components, halved: this.#halved }, steps);
    const scan = scanHeader(this.#components, tables);
    const header = new Uint8Array(frame.length + scan.length);
    header.set(frame);
    header.set(scan, frame.length);
    return header;
  }
}
