/** Encodes JPEG in rows: progressive, or sequential where the coefficients do not fit the memory planned for them. */
import { JPEG_OUT_BYTES, jpegTokenBytes } from "../../../image/formats/jpeg/encoder-memory.ts";
import type { RowJpegOptions } from "../../../image/formats/jpeg/encoder-options.ts";
import { wholePages } from "../../../image/memory/pages.ts";
import { FORMATS } from "../../../image/formats/registry.ts";
import { CHANNELS_OF, rowsPerBatch } from "../../../image/memory/rows.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import { RowMemoryError, RowShortageError } from "../../scheduling/row-errors.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import { type JpegEncoderModule, newJpegEncoder, STEPS_BYTES } from "./encoder-module.ts";
import { codesOf, isSymbol, optimalTable } from "./huffman-tables.ts";
import { frameHeader, type PlacedTable, scanHeader } from "./markers.ts";
import { progressiveScans } from "./progressive-scans.ts";
import { chromaLambdaOf, type Quantisation, quantisation, RATE, ZIGZAG } from "./quantisation.ts";

export interface JpegOptions extends RowJpegOptions {
  /**
   * Most bytes for tokens, though never fewer than one group of rows needs. A picture with more is coded
   * sequentially.
   */
  readonly mostTokenBytes?: number;
}

type Chunks = AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>;

/** Approximate nanoseconds of computing per byte of rows, per byte of the file, and per call that codes. */
const WORK = { perRowByte: 14, perFileByte: 10, perCall: 300_000 } as const;
/** A symbol that was counted once weighs this many times as much as one that was not counted but is possible. */
const COUNTED_WEIGHT = 16;
const EOI = Uint8Array.of(0xff, 0xd9);

/**
 * Encodes rows as a file without metadata. "gray" gives one component and "rgb" gives YCbCr; alpha is
 * flattened on white. The first chunk comes after the last row, or when the room for tokens is full. The length of
 * the file is known only at its end.
 *
 * @throws RowMemoryError when the memory is too small
 * @throws RowShortageError when the source ends early
 * @throws RangeError for CMYK and for sides over 65,500
 */
export async function* encodeJpeg(workspace: RowWorkspace, source: RowSource, options: JpegOptions): Chunks {
  const encoder = new Encoder(workspace, source, options);
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
  readonly #wasm: JpegEncoderModule;
  readonly #source: RowSource;
  readonly #meter: WorkMeter;
  readonly #options: JpegOptions;
  readonly #components: 1 | 3;
  readonly #rowBytes: number;
  readonly #stagedRows: number;
  readonly #tables: readonly Quantisation[];
  /** Rows that the module has taken. */
  #rows = 0;
  #isSequential = false;

  constructor({ memory, work, counted }: RowWorkspace, source: RowSource, options: JpegOptions) {
    const { width, height, layout } = source;
    if (layout === "cmyk") throw new RangeError("CMYK must be converted before it is encoded");
    const maxPixels = FORMATS.jpeg.variant.maxSidePixels;
    if (width > maxPixels || height > maxPixels) {
      throw new RangeError(`Decoders of JPEG take sides of ${maxPixels} pixels at most`);
    }
    const channels = CHANNELS_OF[layout];
    this.#memory = memory;
    this.#source = source;
    this.#meter = work;
    this.#options = options;
    this.#components = channels >= 3 ? 3 : 1;
    this.#rowBytes = width * channels;
    this.#stagedRows = rowsPerBatch(this.#rowBytes, height);
    const [luma, chroma] = quantisation(options.scale);
    this.#tables = this.#components === 1 ? [luma] : [luma, chroma];
    this.#wasm = newJpegEncoder(memory);
    if (!this.#layOut(channels)) {
      throw new RowMemoryError("encode", `Encoding ${width} x ${height} as JPEG does not fit its memory`);
    }
    counted?.(wholePages(this.#wasm.used()));
  }

  #layOut(channels: number): boolean {
    const { width, height } = this.#source;
    const { chroma, scale, finestScale = scale, mostTokenBytes } = this.#options;
    const picture = { width, height, channels, chroma, scale: finestScale };
    const tokenBytes = jpegTokenBytes(picture, mostTokenBytes);
    const [halved, full] = [chroma !== "444", chroma !== "420"].map(Number) as [number, number];
    const staged = this.#stagedRows;
    if (!this.#wasm.configure(width, height, channels, halved, full, staged, tokenBytes, JPEG_OUT_BYTES)) {
      return false;
    }
    for (let i = 0; i < this.#components; i++) {
      const { steps, weights } = this.#tables[Math.min(i, 1)]!;
      const address = this.#wasm.tableAddress(i);
      new Uint16Array(this.#memory.buffer, address, 64).set(steps);
      new Float32Array(this.#memory.buffer, address + STEPS_BYTES, 64).set(weights);
    }
    const { lumaLambda, maskAdded, maskPower } = RATE;
    const chromaLambda = chromaLambdaOf(scale);
    return this.#wasm.prepare(lumaLambda, chromaLambda, maskAdded, maskPower) !== 0;
  }

  /** Takes whole rows. Yields chunks when the room for tokens is full. */
  async *take(rows: Uint8Array): Chunks {
    const most = this.#stagedRows * this.#rowBytes;
    for (let at = 0; at < rows.length; at += most) {
      const part = rows.subarray(at, at + most);
      const count = part.length / this.#rowBytes;
      new Uint8Array(this.#memory.buffer, this.#wasm.stagingAddress(), part.length).set(part);
      for (let done = 0; done < count;) {
        const next = this.#wasm.push(done, count);
        this.#rows += next - done;
        done = next;
        if (done < count) yield* this.#emitRows();
      }
      await this.#meter.spend(WORK.perRowByte * part.length);
    }
  }

  async *end(): Chunks {
    if (!this.#wasm.finish()) {
      yield* this.#emitRows();
      this.#wasm.finish();
    }
    if (this.#isSequential) {
      yield* this.#emitRows();
      yield this.#output(this.#wasm.flush());
    } else {
      yield* this.#progressive();
    }
    yield EOI.slice();
  }

  async *#progressive(): Chunks {
    const isHalved = this.#isHalved();
    yield this.#frame(true, isHalved);
    yield* progressiveScans({
      wasm: this.#wasm,
      memory: this.#memory,
      meter: this.#meter,
      output: (bytes) => this.#output(bytes),
      pixels: this.#source.width * this.#source.height,
      isGray: this.#components === 1,
      isHalved,
    });
  }

  /** Codes all tokens so far, in a sequential file. */
  async *#emitRows(): Chunks {
    if (!this.#isSequential) yield* this.#turnSequential();
    for (let bytes = this.#wasm.emitRows(); bytes > 0; bytes = this.#wasm.emitRows()) {
      yield this.#output(bytes);
      await this.#meter.spend(WORK.perFileByte * bytes);
    }
    this.#wasm.freeTokens();
  }

  /**
   * Begins a sequential file. Its Huffman tables are made before the picture is complete, so every symbol that is
   * possible gets a code.
   */
  async *#turnSequential(): Chunks {
    const halved = this.#isHalved();
    const address = this.#wasm.countsAddress();
    this.#wasm.openAll(Number(halved), 0);
    while (this.#wasm.countRows()) await this.#meter.spend(WORK.perCall);
    const codes = new Uint32Array(this.#memory.buffer, this.#wasm.codesAddress(), 2048);
    const tables = Array.from({ length: this.#components === 3 ? 4 : 2 }, (_, i): PlacedTable => {
      const kind = i % 2 === 0 ? "dc" : "ac";
      const counts = new Uint32Array(this.#memory.buffer, address + 1024 * i, 256);
      const weighted = counts.map(
        (n, symbol) => n * COUNTED_WEIGHT + (isSymbol(symbol, kind === "ac") ? 1 : 0),
      );
      const table = optimalTable(weighted);
      codes.set(codesOf(table), 512 * i);
      return { kind, id: i >> 1, table };
    });
    this.#isSequential = true;
    yield this.#frame(false, halved);
    yield scanHeader({ first: 0, components: this.#components, from: 0, to: 63 }, tables);
  }

  /**
   * Returns whether chroma is halved in the file: as the options say, or if the rows so far would lose little by it.
   */
  #isHalved(): boolean {
    const { chroma } = this.#options;
    if (this.#components === 1 || chroma === "444") return false;
    if (chroma === "420") return true;
    return this.#wasm.meanLostChroma(this.#rows) <= chroma.mostLost;
  }

  #frame(progressive: boolean, halved: boolean): Uint8Array<ArrayBuffer> {
    const { width, height } = this.#source;
    const steps = this.#tables.map((table) => ZIGZAG.map((at) => table.steps[at]!));
    return frameHeader({ width, height, components: this.#components, halved, progressive }, steps).slice();
  }

  #output(bytes: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer, this.#wasm.outputAddress(), bytes).slice();
  }
}
