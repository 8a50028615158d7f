/** Encodes the alpha of a WebP variant: an ALPH chunk that contains a VP8L image (RFC 9649, 2.7.1.2 and 3). */
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import type { Size } from "../../../image/geometry/size.ts";
import type { WebpExports } from "./module.ts";
import { webpBand } from "../../../image/formats/webp/encoder-memory.ts";
import { alphaWalk, GREEN } from "./lossless/alphabet.ts";
import { describeGroups, LEAST_TILE_BITS, placeCodes } from "./lossless/group-codes.ts";
import { putImage } from "./lossless/small-image.ts";
import { BitWriter } from "./lossless/prefix-code.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The first byte of the chunk: lossless compression, no preprocessing, and the gradient filter or none. */
const LOSSLESS = 1;
const GRADIENT_FILTER = 3 << 2;
const PREDICTOR = 0;
/** Work units of one step over a band of rows. */
const WORK_PER_STEP = 4_000_000;
/** A symbol that was counted once weighs this many times as much as one that was not counted but is possible. */
const COUNTED_WEIGHT = 16;

export class AlphaWriter {
  readonly #memory: WebAssembly.Memory;
  readonly #wasm: WebpExports;
  readonly #meter: WorkMeter;
  readonly #keep: (bytes: Uint8Array) => Bytes;
  readonly #size: Size;
  readonly #chunks: Bytes[] = [];
  #hasCodes = false;

  /** @param keep copies the codec's output */
  constructor(
    memory: WebAssembly.Memory,
    wasm: WebpExports,
    meter: WorkMeter,
    keep: (bytes: Uint8Array) => Bytes,
    size: Size,
  ) {
    this.#memory = memory;
    this.#wasm = wasm;
    this.#meter = meter;
    this.#keep = keep;
    this.#size = size;
  }

  /** Makes tokens of the rows that are held. */
  async code(): Promise<void> {
    if (this.#wasm.areAlphaTokensFull()) await this.emit(false);
    let isBusy = true;
    while (isBusy) {
      isBusy = this.#wasm.codeAlpha(this.#hasCodes) !== 0;
      await this.#meter.spend(WORK_PER_STEP);
    }
  }

  /** Codes all tokens so far. If the picture is not complete, every symbol that is possible gets a code. */
  async emit(isComplete: boolean): Promise<void> {
    if (!this.#hasCodes) await this.#begin(isComplete);
    for (let bytes = this.#wasm.emitAlpha(); bytes > 0; bytes = this.#wasm.emitAlpha()) {
      this.#chunks.push(this.#output(bytes));
      await this.#meter.spend(20 * bytes);
    }
  }

  /** Returns the data of the chunk; null for a picture that is opaque throughout. */
  async end(): Promise<Bytes[] | null> {
    if (this.#wasm.isAllOpaque()) return null;
    await this.code();
    await this.emit(true);
    this.#chunks.push(this.#output(this.#wasm.flushTokens()));
    return this.#chunks;
  }

  #output(bytes: number): Bytes {
    return this.#keep(new Uint8Array(this.#memory.buffer, this.#wasm.outputAddress(), bytes));
  }

  /** Makes the prefix codes of the tokens so far, and writes everything before the coded data. */
  async #begin(isComplete: boolean): Promise<void> {
    const { buffer } = this.#memory;
    const { width, height } = this.#size;
    const from = this.#wasm.alphaTokensAddress();
    const tokens = new Uint32Array(buffer, from, (this.#wasm.alphaTokensEnd() - from) / 4);
    const weigh = isComplete ? (counts: Uint32Array) => counts : raised;
    const best = await describeGroups(alphaWalk(tokens), GREEN, this.#size, weigh, this.#meter);
    const writer = new BitWriter();
    writer.put(LOSSLESS | (this.#wasm.isAlphaGradient() ? GRADIENT_FILTER : 0), 8);
    const modes = this.#wasm.alphaModesAddress();
    if (modes) {
      const { tileBits } = webpBand(width, height);
      const across = Math.ceil(width / 2 ** tileBits);
      writer.put(1, 1); // A transform.
      writer.put(PREDICTOR, 2);
      writer.put(tileBits - LEAST_TILE_BITS, 3);
      putImage(writer, new Uint8Array(buffer, modes, across * Math.ceil(height / 2 ** tileBits)), across);
    }
    writer.put(0, 2); // No further transform, no colour cache.
    writer.append(best.writer);
    placeCodes(this.#memory, this.#wasm, best);
    this.#chunks.push(Uint8Array.from(writer.bytes));
    this.#wasm.startAlpha(writer.rest.bits, writer.rest.count, best.groups.tileBits);
    this.#hasCodes = true;
  }
}

/** Counts for a picture of which more follows: every symbol is possible. */
const raised = (counts: Uint32Array): Uint32Array => counts.map((n) => n * COUNTED_WEIGHT + 1);
