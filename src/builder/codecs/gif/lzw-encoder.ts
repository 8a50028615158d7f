/** GIF's variable-length-code LZW (GIF89a appendix F), the writing side, in data sub-blocks (section 15). */

const CODES = 4096;
const SLOTS = 16_384;
const BLOCK_BYTES = 255;
const EMPTY = -1;
/** Marks an index that may as well be the transparent one: the screen already shows it. */
export const FREE = 0x100;
/** Of such an index: what the screen shows is near, but not the same. */
export const NOISY = 0x200;
export const INDEX = 0xff;

/** Where compressed bytes gather, cut into sub-blocks. */
class SubBlocks {
  #bytes: Uint8Array<ArrayBuffer>;
  #length: number;
  /** Where the length of the block at hand goes. */
  #blockAt: number;
  #bits = 0;
  #bitCount = 0;

  constructor(pixels: number) {
    this.#bytes = new Uint8Array(Math.max(64, pixels >> 2));
    this.#length = 1;
    this.#blockAt = 0;
  }

  put(code: number, codeBits: number): void {
    this.#bits |= code << this.#bitCount;
    this.#bitCount += codeBits;
    while (this.#bitCount >= 8) this.#byte();
  }

  #byte(): void {
    if (this.#length + 3 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = this.#bits & 255;
    this.#bits >>>= 8;
    this.#bitCount -= 8;
    if (this.#length - this.#blockAt > BLOCK_BYTES) {
      this.#bytes[this.#blockAt] = BLOCK_BYTES;
      this.#blockAt = this.#length++;
    }
  }

  finish(): Uint8Array<ArrayBuffer> {
    if (this.#bitCount > 0) {
      this.#bitCount = 8;
      this.#byte();
    }
    const left = this.#length - this.#blockAt - 1;
    this.#bytes[this.#blockAt] = left;
    // An empty block ends the data; the block at hand is that one when nothing is in it.
    if (left > 0) this.#bytes[this.#length++] = 0;
    return this.#bytes.slice(0, this.#length);
  }
}

/** One table for all frames of a file. */
export class LzwEncoder {
  readonly #keys = new Int32Array(SLOTS);
  readonly #codes = new Uint16Array(SLOTS);

  /**
   * The image data of `indices`: root bits, sub-blocks, and the empty block. Where an index is marked FREE, it or
   * `transparent` is written, whichever goes on with a string that is known: longer strings, fewer codes.
   */
  encode(indices: Uint16Array, rootBits: number, transparent: number): Uint8Array<ArrayBuffer>[] {
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
      // Where neither makes the string longer. In noise, single holes would break up what is drawn.
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
        // At once: a full table that serves on was measured, and makes longer files.
        out.put(clear, codeBits);
        this.#keys.fill(EMPTY);
        codeBits = rootBits + 1;
        next = clear + 2;
      } else {
        this.#keys[slot] = (string << 8) | index;
        this.#codes[slot] = next;
        // The reader learns each code one step later than the writer.
        if (next++ === 1 << codeBits) codeBits++;
      }
      string = index;
    }
    if (string !== EMPTY) out.put(string, codeBits);
    // The reader has learned one more code by then.
    if (next === 1 << codeBits && codeBits < 12) codeBits++;
    out.put(clear + 1, codeBits);
    return [Uint8Array.of(rootBits), out.finish()];
  }

  /** The slot that holds `key`, or the empty one where it belongs. */
  #find(key: number): number {
    let slot = (Math.imul(key, 0x9e3779b1) >>> 18) & (SLOTS - 1);
    while (this.#keys[slot] !== EMPTY && this.#keys[slot] !== key) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  }
}
