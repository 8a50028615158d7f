/** The alpha of a WebP variant: an ALPH chunk with a VP8L image in it (RFC 9649, 2.7.1.2 and 3). */
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import type { WebpExports } from "./module.ts";
import { BitWriter, prefixCodes, prefixLengths, putCode, putZeroCode } from "./prefix-code.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** First byte: lossless compression of what the horizontal filter leaves, without other preparation. */
const HORIZONTAL_LOSSLESS = (1 << 2) | 1;
/** Literals and lengths of matches; places of matches, of which the first seven prefixes are in use. */
const SYMBOLS = 280;
const PLACES = 7;
const PLACE_SYMBOLS = 40;
/** How often a symbol was counted weighs so much more than that it may yet come. */
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

  /** Codes all tokens. Before the picture is complete, there must be codes for whatever may come. */
  async emit(isComplete: boolean): Promise<void> {
    if (!this.#hasCodes) this.#begin(isComplete);
    for (let bytes = this.#wasm.emitAlpha(); bytes > 0; bytes = this.#wasm.emitAlpha()) {
      this.#chunks.push(this.#output(bytes));
      await this.#meter.spend(20 * bytes);
    }
  }

  /** The data of the chunk; null for a picture that is opaque after all. */
  async end(): Promise<Bytes[] | null> {
    if (this.#wasm.isAllOpaque()) return null;
    await this.emit(true);
    this.#chunks.push(this.#output(this.#wasm.flushAlpha()));
    return this.#chunks;
  }

  #output(bytes: number): Bytes {
    return this.#keep(new Uint8Array(this.#memory.buffer, this.#wasm.outputAddress(), bytes));
  }

  /** Makes the prefix codes of what was counted, and writes all that comes before the coded data. */
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
    putCode(writer, own); // Alpha lies in green, with lengths of matches.
    for (let i = 0; i < 3; i++) putZeroCode(writer); // Red, blue and alpha are 0.
    const allPlaces = new Uint8Array(PLACE_SYMBOLS);
    allPlaces.set(places);
    putCode(writer, allPlaces);
    this.#chunks.push(Uint8Array.from(writer.bytes));
    this.#wasm.startAlpha(writer.rest.bits, writer.rest.count);
    this.#hasCodes = true;
  }
}
