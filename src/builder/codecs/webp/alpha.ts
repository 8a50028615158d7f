/** Encodes the alpha of a WebP variant: an ALPH chunk that contains a VP8L image (RFC 9649, 2.7.1.2 and 3). */
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import type { WebpExports } from "./module.ts";
import { BitWriter, prefixCodes, prefixLengths, putCode, putZeroCode } from "./prefix-code.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** First byte of the chunk: horizontal filter, lossless compression, no preprocessing. */
const HORIZONTAL_LOSSLESS = (1 << 2) | 1;
/**
 * Number of symbols for literals and lengths of matches; and for places of matches, of which seven prefixes are used.
 */
const SYMBOLS = 280;
const PLACES = 7;
const PLACE_SYMBOLS = 40;
/** A symbol that was counted once weighs this many times as much as one that was not counted but is possible. */
const COUNTED_WEIGHT = 16;

export class AlphaWriter {
  readonly #memory: WebAssembly.Memory;
  readonly #wasm: WebpExports;
  readonly #meter: WorkMeter;
  readonly #keep: (bytes: Uint8Array) => Bytes;
  readonly #chunks: Bytes[] = [];
  #hasCodes = false;

  /** @param keep copies the codec's output */
  constructor(
    memory: WebAssembly.Memory,
    wasm: WebpExports,
    meter: WorkMeter,
    keep: (bytes: Uint8Array) => Bytes,
  ) {
    this.#memory = memory;
    this.#wasm = wasm;
    this.#meter = meter;
    this.#keep = keep;
  }

  /** Codes all tokens so far. If the picture is not complete, every symbol that is possible gets a code. */
  async emit(isComplete: boolean): Promise<void> {
    if (!this.#hasCodes) this.#begin(isComplete);
    for (let bytes = this.#wasm.emitAlpha(); bytes > 0; bytes = this.#wasm.emitAlpha()) {
      this.#chunks.push(this.#output(bytes));
      await this.#meter.spend(20 * bytes);
    }
  }

  /** The data of the chunk; null for a picture that is opaque throughout. */
  async end(): Promise<Bytes[] | null> {
    if (this.#wasm.isAllOpaque()) return null;
    await this.emit(true);
    this.#chunks.push(this.#output(this.#wasm.flushAlpha()));
    return this.#chunks;
  }

  #output(bytes: number): Bytes {
    return this.#keep(new Uint8Array(this.#memory.buffer, this.#wasm.outputAddress(), bytes));
  }

  /** Makes the prefix codes from the counts, and writes everything before the coded data. */
  #begin(isComplete: boolean): void {
    const address = this.#wasm.alphaCountsAddress();
    const counted = new Uint32Array(this.#memory.buffer, address, SYMBOLS + PLACES);
    const counts = isComplete ? counted : counted.map((n) => n * COUNTED_WEIGHT + 1);
    const own = prefixLengths(counts.subarray(0, SYMBOLS));
    const places = prefixLengths(counts.subarray(SYMBOLS));
    const codes = [...prefixCodes(own), ...prefixCodes(places)];
    const lengths = [...own, ...places];
    const pairs = codes.flatMap((code, symbol) => [code, lengths[symbol] ?? 0]);
    new Uint32Array(this.#memory.buffer, this.#wasm.alphaCodesAddress(), pairs.length).set(pairs);
    const writer = new BitWriter();
    writer.put(HORIZONTAL_LOSSLESS, 8);
    writer.put(0, 3); // No transform, no colour cache, one set of codes for the whole image.
    putCode(writer, own); // Alpha is in green, with the lengths of matches.
    for (let i = 0; i < 3; i++) putZeroCode(writer); // Red, blue and alpha are 0.
    const allPlaces = new Uint8Array(PLACE_SYMBOLS);
    allPlaces.set(places);
    putCode(writer, allPlaces);
    this.#chunks.push(Uint8Array.from(writer.bytes));
    this.#wasm.startAlpha(writer.rest.bits, writer.rest.count);
    this.#hasCodes = true;
  }
}
