/** Decodes GIF's variable-length-code LZW (GIF89a appendix F), in pieces. */
import { AnimationError } from "../../animation/animation.ts";

const CODES = 4096;
const CODE_BITS = 12;
/** Bytes of the output buffer. A string is at most as long as there are codes. */
const OUT_BYTES = 65_536;
const NONE = -1;

export class LzwDecoder {
  readonly #out = new Uint8Array(OUT_BYTES);
  readonly #prefix = new Uint16Array(CODES);
  readonly #suffix = new Uint8Array(CODES);
  readonly #first = new Uint8Array(CODES);
  readonly #length = new Uint16Array(CODES);
  #clear = 0;
  #codeBits = 0;
  #rootBits = 0;
  #next = 0;
  #last = NONE;
  #bits = 0;
  #bitCount = 0;
  #left = 0;
  #ended = true;

  /** Starts a picture of `pixels` indices, whose roots have `rootBits` bits. */
  start(rootBits: number, pixels: number): void {
    if (rootBits < 1 || rootBits > 11) throw new AnimationError(`LZW roots of ${rootBits} bits are invalid`);
    this.#rootBits = rootBits;
    this.#clear = 1 << rootBits;
    for (let code = 0; code < this.#clear; code++) {
      this.#suffix[code] = this.#first[code] = code;
      this.#length[code] = 1;
    }
    this.#bits = 0;
    this.#bitCount = 0;
    this.#left = pixels;
    this.#ended = pixels === 0;
    this.#reset();
  }

  /** The number of indices that are missing. Data after the last index are ignored. */
  get left(): number {
    return this.#left;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Decodes `bytes` and hands indices to `sink` in pieces. A piece is valid until `sink` returns.
   * @throws AnimationError for an invalid code
   */
  decode(bytes: Uint8Array, sink: (indices: Uint8Array) => void): void {
    for (const piece of this.pieces(bytes)) sink(piece);
  }

  /**
   * Yields the indices that `bytes` contain, in pieces, each decoded when it is asked for. A piece is valid until the
   * next one is. All must be asked for before more bytes are decoded.
   * @throws AnimationError for an invalid code
   */
  *pieces(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
    if (this.#ended) return;
    const clear = this.#clear;
    let bits = this.#bits;
    let bitCount = this.#bitCount;
    let filled = 0;
    for (let at = 0; at < bytes.length && !this.#ended; at++) {
      bits |= (bytes[at] as number) << bitCount;
      bitCount += 8;
      while (bitCount >= this.#codeBits && !this.#ended) {
        const code = bits & ((1 << this.#codeBits) - 1);
        bits >>>= this.#codeBits;
        bitCount -= this.#codeBits;
        if (code === clear) {
          this.#reset();
        } else if (code === clear + 1) {
          this.#ended = true;
        } else {
          if (filled + CODES > OUT_BYTES) {
            yield this.#out.subarray(0, filled);
            filled = 0;
          }
          filled = this.#put(code, filled);
        }
      }
    }
    this.#bits = bits;
    this.#bitCount = bitCount;
    if (filled > 0) yield this.#out.subarray(0, filled);
  }

  #reset(): void {
    this.#codeBits = this.#rootBits + 1;
    this.#next = this.#clear + 2;
    this.#last = NONE;
  }

  /** Writes the string of `code` after the first `filled` bytes, and adds the string that it completes to the table. */
  #put(code: number, filled: number): number {
    const codes = this.#next;
    const last = this.#last;
    // A code that is just being added stands for the string before it and the first index of that (KwKwK).
    if (
      code > codes ||
      (code === codes && (last === NONE || codes === CODES)) ||
      (last === NONE && code >= this.#clear)
    ) {
      throw new AnimationError("The LZW data of a frame contain an undefined code");
    }
    const first = this.#first[code === codes ? last : code] as number;
    if (last !== NONE && codes < CODES) {
      this.#prefix[codes] = last;
      this.#suffix[codes] = first;
      this.#first[codes] = this.#first[last] as number;
      this.#length[codes] = (this.#length[last] as number) + 1;
      this.#next = codes + 1;
      if (this.#next === 1 << this.#codeBits && this.#codeBits < CODE_BITS) this.#codeBits++;
    }
    this.#last = code;
    const length = this.#length[code] as number;
    let string = code;
    for (let to = filled + length - 1; to >= filled; to--) {
      this.#out[to] = this.#suffix[string] as number;
      string = this.#prefix[string] as number;
    }
    const kept = Math.min(length, this.#left);
    this.#left -= kept;
    if (this.#left === 0) this.#ended = true;
    return filled + kept;
  }
}
