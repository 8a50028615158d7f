/** Encodes GIF's variable-length-code LZW (GIF89a appendix F) in data sub-blocks (section 15). */

import { GIF_PIECE_BYTES } from "../../../image/formats/gif/memory.ts";

const CODES = 4096;
const SLOTS = 16_384;
const BLOCK_BYTES = 255;
const EMPTY = -1;
/** Marks an index that may be replaced by the transparent one, because its colour is already shown. */
export const FREE = 0x100;
/** Marks such an index if the colour shown is only near, not the same. */
export const NOISY = 0x200;
export const INDEX = 0xff;

/** Collects compressed bytes in sub-blocks, and these in pieces of whole blocks. */
class SubBlocks {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 1;
  /** Where the length of the current block is written. */
  #blockAt = 0;
  #bits = 0;
  #bitCount = 0;
  #full: Uint8Array<ArrayBuffer> | null = null;

  constructor(pixels: number) {
    this.#bytes = new Uint8Array(Math.min(GIF_PIECE_BYTES, Math.max(64, pixels >> 2)));
  }

  /** Takes a piece that is full, once. */
  take(): Uint8Array<ArrayBuffer> | null {
    const full = this.#full;
    this.#full = null;
    return full;
  }

  put(code: number, codeBits: number): void {
    this.#bits |= code << this.#bitCount;
    this.#bitCount += codeBits;
    while (this.#bitCount >= 8) this.#byte();
  }

  #byte(): void {
    if (this.#length + 3 > this.#bytes.length && this.#bytes.length < GIF_PIECE_BYTES) {
      const larger = new Uint8Array(Math.min(GIF_PIECE_BYTES, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = this.#bits & 255;
    this.#bits >>>= 8;
    this.#bitCount -= 8;
    if (this.#length - this.#blockAt > BLOCK_BYTES) this.#endBlock();
  }

  #endBlock(): void {
    this.#bytes[this.#blockAt] = BLOCK_BYTES;
    if (this.#length === GIF_PIECE_BYTES) {
      this.#full = this.#bytes;
      this.#bytes = new Uint8Array(GIF_PIECE_BYTES);
      this.#length = 0;
    }
    this.#blockAt = this.#length++;
  }

  finish(): Uint8Array<ArrayBuffer> {
    if (this.#bitCount > 0) {
      this.#bitCount = 8;
      this.#byte();
    }
    const left = this.#length - this.#blockAt - 1;
    this.#bytes[this.#blockAt] = left;
    // An empty block ends the data. If the current block is empty, it is that block.
    if (left > 0) this.#bytes[this.#length++] = 0;
    return this.#bytes.slice(0, this.#length);
  }
}

/** An encoder with one table, which is reused for all frames of a file. */
export class LzwEncoder {
  readonly #keys = new Int32Array(SLOTS);
  readonly #codes = new Uint16Array(SLOTS);

  /**
   * Encodes `indices` as image data: root bits, sub-blocks, and the empty block. For an index marked FREE, it writes
   * either that one or `transparent`, whichever continues a string in the table. Longer strings need fewer codes.
   * Yields pieces of at most GIF_PIECE_BYTES; after the last one, `indices` are those that were written.
   */
  *encode(
    indices: Uint16Array,
    rootBits: number,
    transparent: number,
  ): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
    yield Uint8Array.of(rootBits);
    const clear = 1 << rootBits;
    const out = new SubBlocks(indices.length);
    let codeBits = rootBits + 1;
    let next = clear + 2;
    this.#keys.fill(EMPTY);
    out.put(clear, codeBits);
    let string = EMPTY;
    let wasHole: boolean = true;
    for (let i = 0; i < indices.length; i++) {
      const entry = indices[i] as number;
      const isFree = (entry & FREE) !== 0;
      const colour = entry & INDEX;
      // Neither makes the string longer. In noise, single transparent pixels would break up the strings of drawn ones.
      const goesOn: boolean = (entry & NOISY) !== 0 && !wasHole;
      let index: number = isFree && !goesOn ? transparent : colour;
      const other = goesOn ? transparent : colour;
      let slot = 0;
      if (string !== EMPTY) {
        slot = this.#find((string << 8) | index);
        if (isFree && this.#keys[slot] === EMPTY) {
          const otherSlot = this.#find((string << 8) | other);
          if (this.#keys[otherSlot] !== EMPTY) {
            slot = otherSlot;
            index = other;
          }
        }
      }
      indices[i] = index;
      wasHole = index === transparent;
      if (string === EMPTY) {
        string = index;
        continue;
      }
      if (this.#keys[slot] !== EMPTY) {
        string = this.#codes[slot] as number;
        continue;
      }
      out.put(string, codeBits);
      if (next === CODES) {
        // Clear at once. Continuing to use a full table was measured, and makes larger files.
        out.put(clear, codeBits);
        this.#keys.fill(EMPTY);
        codeBits = rootBits + 1;
        next = clear + 2;
      } else {
        this.#keys[slot] = (string << 8) | index;
        this.#codes[slot] = next;
        // The decoder adds each code one step later than the encoder.
        if (next++ === 1 << codeBits) codeBits++;
      }
      string = index;
      const full = out.take();
      if (full) yield full;
    }
    if (string !== EMPTY) out.put(string, codeBits);
    // The decoder has added one more code by then.
    if (next === 1 << codeBits && codeBits < 12) codeBits++;
    out.put(clear + 1, codeBits);
    const last = out.finish();
    const full = out.take();
    if (full) yield full;
    yield last;
  }

  /** Returns the slot that contains `key`, or the empty one where it belongs. */
  #find(key: number): number {
    let slot = (Math.imul(key, 0x9e3779b1) >>> 18) & (SLOTS - 1);
    while (this.#keys[slot] !== EMPTY && this.#keys[slot] !== key) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  }
}
