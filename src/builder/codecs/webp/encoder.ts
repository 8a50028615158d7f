/**
 * Encodes WebP variants in rows, as a VP8 key frame. It holds one row of macroblocks, and levels as compact tokens,
 * but not the picture. A picture that may be a drawing is held as numbers of its colours besides, as long as they are
 * few, and is coded without loss where that takes fewer bytes.
 */
import { CHANNELS_OF, rowsPerBatch } from "../../../image/memory/rows.ts";
import type { RowWebpOptions } from "../../../image/formats/webp/encoder-options.ts";
import {
  WEBP_OUT_BYTES,
  webpBand,
  webpLosslessTokenBytes,
  webpTokenBytes,
} from "../../../image/formats/webp/encoder-memory.ts";
import module from "../../wasm/vp8-encoder.wasm";
import type { RowSource } from "../../pixels/row-source.ts";
import { RowMemoryError, RowShortageError } from "../../scheduling/row-errors.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import { AlphaWriter } from "./alpha.ts";
import { assembleLossless, assembleWebp, type WebpFile } from "./container.ts";
import { encodeLossless } from "./lossless/encoder.ts";
import type { WebpExports } from "./module.ts";
import { wholePages } from "../../../image/memory/pages.ts";
import { FORMATS } from "../../../image/formats/registry.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface WebpOptions extends RowWebpOptions {
  /** Returns a copy of a piece of the file, because the codec reuses its memory. May throw. */
  readonly keep?: (bytes: Uint8Array) => Bytes;
}

/** Work units per byte of pixels, and per byte of a partition. */
const WORK_PER_BYTE_IN = 50;
const WORK_PER_BYTE_OUT = 60;

/**
 * Encodes rows as a WebP file without metadata: with loss, or without it where that is allowed and smaller. The quantiser of a macroblock depends on its texture, levels
 * and modes are chosen by error and bits, and probabilities are fitted to the picture. Alpha is kept without loss,
 * unless it is opaque throughout, or rounded with the other samples at the edges of a picture without loss. The chroma of
 * gray layouts is constant.
 *
 * The file is returned whole, because its first part is known only after the last row.
 *
 * @throws RowMemoryError when the memory is too small
 * @throws RowShortageError when the source ends early
 * @throws RangeError for CMYK, and for a picture that is too large for VP8
 */
export async function encodeWebp(
  workspace: RowWorkspace,
  source: RowSource,
  options: WebpOptions,
): Promise<WebpFile> {
  const encoder = new Encoder(workspace, source, options);
  for (let row = 0; row < source.height;) {
    const rows = await source.next();
    if (!rows) throw new RowShortageError("The picture to be encoded ended before its last row");
    row += rows.length / (source.width * CHANNELS_OF[source.layout]);
    await encoder.take(rows);
  }
  return encoder.end();
}

class Encoder {
  readonly #memory: WebAssembly.Memory;
  readonly #wasm: WebpExports;
  readonly #source: RowSource;
  readonly #meter: WorkMeter;
  readonly #rowBytes: number;
  readonly #stagedRows: number;
  readonly #alpha: AlphaWriter | null;
  readonly #first: Bytes[] = [];
  readonly #second: Bytes[] = [];
  readonly #keepCopy: (bytes: Uint8Array) => Bytes;

  readonly #mayBeLossless: boolean;

  constructor({ memory, work, counted }: RowWorkspace, source: RowSource, options: WebpOptions) {
    const {
      quality,
      finestQuality = quality,
      mayBeLossless = false,
      roundedBits = 0,
      effort = "thorough",
      keep,
    } = options;
    const { width, height, layout } = source;
    if (layout === "cmyk") throw new RangeError("CMYK must be converted before it is encoded");
    const maxPixels = FORMATS.webp.variant.maxSidePixels;
    if (width > maxPixels || height > maxPixels) {
      throw new RangeError(`WebP allows at most ${maxPixels} pixels per side`);
    }
    const channels = CHANNELS_OF[layout];
    this.#memory = memory;
    this.#source = source;
    this.#keepCopy = keep ?? ((bytes) => Uint8Array.from(bytes));
    this.#meter = work;
    this.#rowBytes = width * channels;
    this.#stagedRows = rowsPerBatch(this.#rowBytes, height);
    this.#wasm = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as WebpExports;
    const hasAlpha = layout === "rgba" || layout === "gray-alpha";
    this.#alpha = hasAlpha ? new AlphaWriter(memory, this.#wasm, this.#meter, this.#keepCopy, source) : null;
    const band = webpBand(width, height, mayBeLossless);
    this.#mayBeLossless = mayBeLossless;
    if (effort === "quick") this.#wasm.hurry();
    const isLaidOut = this.#wasm.configure(
      width,
      height,
      channels,
      quality,
      this.#stagedRows,
      webpTokenBytes(width, height, finestQuality),
      band.tileBits,
      band.rows,
      band.reach,
      band.tokenBytes,
      mayBeLossless ? webpLosslessTokenBytes(width, height) : 0,
      roundedBits,
      WEBP_OUT_BYTES,
    );
    if (!isLaidOut)
      throw new RowMemoryError("encode", `Encoding ${width} x ${height} as WebP does not fit its memory`);
    counted?.(wholePages(this.#wasm.used()));
  }

  /** Takes whole rows. */
  async take(rows: Uint8Array): Promise<void> {
    const most = this.#stagedRows * this.#rowBytes;
    for (let at = 0; at < rows.length; at += most) {
      const part = rows.subarray(at, at + most);
      const count = part.length / this.#rowBytes;
      new Uint8Array(this.#memory.buffer, this.#wasm.stagingAddress(), part.length).set(part);
      for (let done = this.#wasm.push(0, count); done < count; done = this.#wasm.push(done, count)) {
        if (this.#alpha && this.#wasm.isAlphaFull()) await this.#alpha.code();
        else await this.#emit();
      }
      await this.#meter.spend(WORK_PER_BYTE_IN * part.length);
    }
  }

  async end(): Promise<WebpFile> {
    while (!this.#wasm.finish()) await this.#emit();
    await this.#emit();
    this.#keep(this.#second, this.#wasm.flush());
    for (let bytes = this.#wasm.emitFirst(); bytes >= 0; bytes = this.#wasm.emitFirst()) {
      this.#keep(this.#first, bytes);
      await this.#meter.spend(WORK_PER_BYTE_OUT * bytes);
    }
    this.#keep(this.#first, this.#wasm.flush());
    const alpha = (await this.#alpha?.end()) ?? null;
    const { width, height } = this.#source;
    const lossy = assembleWebp({ width, height, alpha, first: this.#first, second: this.#second });
    return (this.#mayBeLossless && (await this.#withoutLoss(lossy.byteLength))) || lossy;
  }

  /** Encodes the same picture without loss; null if that takes more bytes. */
  async #withoutLoss(mostBytes: number): Promise<WebpFile | null> {
    const coder = { memory: this.#memory, wasm: this.#wasm, meter: this.#meter, keep: this.#keepCopy };
    const data = await encodeLossless(coder, this.#source, mostBytes);
    const file = data && assembleLossless(data);
    return file && file.byteLength <= mostBytes ? file : null;
  }

  /** Codes all tokens so far, as part of the second partition. */
  async #emit(): Promise<void> {
    for (let bytes = this.#wasm.emit(); bytes >= 0; bytes = this.#wasm.emit()) {
      this.#keep(this.#second, bytes);
      await this.#meter.spend(WORK_PER_BYTE_OUT * bytes);
    }
  }

  /** Appends the module's output to a partition, and adds its carry to the bytes before. */
  #keep(partition: Bytes[], bytes: number): void {
    if (this.#wasm.carriesOver()) addOne(partition);
    partition.push(this.#keepCopy(new Uint8Array(this.#memory.buffer, this.#wasm.outputAddress(), bytes)));
  }
}

/** Adds one to the last byte, and to the byte before whenever a byte overflows. */
function addOne(chunks: Bytes[]): void {
  for (const chunk of chunks.toReversed()) {
    for (let at = chunk.length - 1; at >= 0; at--) {
      const sum = (chunk[at] ?? 0) + 1;
      chunk[at] = sum;
      if (sum < 256) return;
    }
  }
}
