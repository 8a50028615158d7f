/** The Huffman tables of a JPEG, as its DHT segments state them: ITU T.81 section B.2.4.2 and annex C. */
import { STANDARD_TABLES } from "./standard-tables.ts";

const LONGEST_BITS = 16;
const SLOTS = 4;

export class HuffmanTables {
  /** Lengths and symbols by table: class 0 is DC, class 1 is AC. */
  readonly #stated = new Map<number, Uint8Array>();

  constructor() {
    this.define(STANDARD_TABLES);
  }

  /** Takes the content of a DHT segment. A malformed table is dropped: a scan that needs it then counts as cut off. */
  define(segment: Uint8Array): void {
    for (let at = 0; at + 1 + LONGEST_BITS <= segment.length;) {
      const counts = segment.subarray(at + 1, at + 1 + LONGEST_BITS);
      const end = at + 1 + LONGEST_BITS + counts.reduce((sum, count) => sum + count, 0);
      this.#stated.set(segment[at]!, segment.slice(at + 1, end));
      at = end;
    }
  }

  /**
   * Makes a table by the next 16 bits: the length of the code times 256, plus its symbol; 0 where there is no code.
   * Null for a table that was not stated, or whose codes do not fit.
   */
  lookup(kind: 0 | 1, slot: number): Uint16Array | null {
    const stated = slot < SLOTS ? this.#stated.get((kind << 4) | slot) : undefined;
    if (stated === undefined) return null;
    const lookup = new Uint16Array(1 << LONGEST_BITS);
    let next = 0;
    let symbol = LONGEST_BITS;
    for (let length = 1; length <= LONGEST_BITS; length += 1) {
      const patterns = 1 << (LONGEST_BITS - length);
      for (let left = stated[length - 1]!; left > 0; left -= 1) {
        if (symbol >= stated.length || next + patterns > lookup.length) return null;
        lookup.fill((length << 8) | stated[symbol]!, next, next + patterns);
        next += patterns;
        symbol += 1;
      }
    }
    return lookup;
  }
}
