/**
 * Inflates zlib data (RFC 1950, RFC 1951) in one piece: small chunks of a PNG beside its pixels, where no WebAssembly
 * module is at hand. The work is bounded by the bytes that come out, each of which takes a few steps.
 */

const LENGTHS = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
const distanceBits = (symbol: number): number => (symbol < 4 ? 0 : (symbol >> 1) - 1);
/** The order in which the lengths of code length codes are stored (RFC 1951, 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST_CODE = 15;
const END_OF_BLOCK = 256;
const ZLIB_HEAD_BYTES = 2;
const DEFLATE = 8;

/** The data are no zlib stream, or longer than they may be. */
class InflateError extends Error {}

/** The symbols of a code in order, and how many there are of each length. */
interface Code {
  counts: Uint16Array;
  symbols: Uint16Array;
}

function codeOf(lengths: ArrayLike<number>): Code {
  const counts = new Uint16Array(LONGEST_CODE + 1);
  for (let i = 0; i < lengths.length; i++) counts[lengths[i]!]! += 1;
  counts[0] = 0;
  const starts = new Uint16Array(LONGEST_CODE + 2);
  for (let length = 1; length <= LONGEST_CODE; length++)
    starts[length + 1] = starts[length]! + counts[length]!;
  const symbols = new Uint16Array(lengths.length);
  for (let i = 0; i < lengths.length; i++) if (lengths[i]! > 0) symbols[starts[lengths[i]!]!++] = i;
  return { counts, symbols };
}

const FIXED: readonly [Code, Code] = [
  codeOf(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
  codeOf(new Uint8Array(30).fill(5)),
];

class Inflation {
  readonly #data: Uint8Array;
  readonly #out: Uint8Array;
  #at = ZLIB_HEAD_BYTES;
  #bits = 0;
  #bitCount = 0;
  #length = 0;

  constructor(data: Uint8Array, maxBytes: number) {
    this.#data = data;
    this.#out = new Uint8Array(maxBytes);
  }

  run(): Uint8Array {
    for (let isLast = false; !isLast;) {
      isLast = this.#take(1) === 1;
      const type = this.#take(2);
      if (type === 0) this.#stored();
      else if (type === 1) this.#coded(...FIXED);
      else if (type === 2) this.#coded(...this.#codes());
      else throw new InflateError("a block of an unknown type");
    }
    return this.#out.slice(0, this.#length);
  }

  #take(count: number): number {
    while (this.#bitCount < count) {
      if (this.#at >= this.#data.length) throw new InflateError("the data end early");
      this.#bits |= this.#data[this.#at++]! << this.#bitCount;
      this.#bitCount += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#bitCount -= count;
    return value;
  }

  #put(byte: number): void {
    if (this.#length === this.#out.length) throw new InflateError("the data are too long");
    this.#out[this.#length++] = byte;
  }

  #stored(): void {
    this.#bits = 0;
    this.#bitCount = 0;
    const length = this.#take(16);
    this.#take(16);
    for (let i = 0; i < length; i++) this.#put(this.#take(8));
  }

  /** Reads one symbol, bit by bit: the codes of each length follow those of the length before. */
  #symbol({ counts, symbols }: Code): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= LONGEST_CODE; length++) {
      code |= this.#take(1);
      const count = counts[length]!;
      if (code - count < first) return symbols[index + code - first]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new InflateError("an unknown code");
  }

  #codes(): [Code, Code] {
    const [literals, distances, lengths] = [this.#take(5) + 257, this.#take(5) + 1, this.#take(4) + 4];
    const own = new Uint8Array(ORDER.length);
    for (let i = 0; i < lengths; i++) own[ORDER[i]!] = this.#take(3);
    const code = codeOf(own);
    const all = new Uint8Array(literals + distances);
    for (let i = 0; i < all.length;) {
      const symbol = this.#symbol(code);
      if (symbol < 16) {
        all[i++] = symbol;
        continue;
      }
      if (symbol === 16 && i === 0) throw new InflateError("a repetition of nothing");
      const value = symbol === 16 ? all[i - 1]! : 0;
      const times =
        symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
      if (i + times > all.length) throw new InflateError("too many code lengths");
      all.fill(value, i, i + times);
      i += times;
    }
    return [codeOf(all.subarray(0, literals)), codeOf(all.subarray(literals))];
  }

  #coded(literals: Code, distances: Code): void {
    for (;;) {
      const symbol = this.#symbol(literals);
      if (symbol === END_OF_BLOCK) return;
      if (symbol < END_OF_BLOCK) {
        this.#put(symbol);
        continue;
      }
      const base = LENGTHS[symbol - 257];
      if (base === undefined) throw new InflateError("an unknown length");
      const length = base + this.#take(LENGTH_BITS[symbol - 257]!);
      const far = this.#symbol(distances);
      const nearest = DISTANCES[far];
      if (nearest === undefined) throw new InflateError("an unknown distance");
      const distance = nearest + this.#take(distanceBits(far));
      if (distance > this.#length) throw new InflateError("a distance before the beginning");
      for (let i = 0; i < length; i++) this.#put(this.#out[this.#length - distance]!);
    }
  }
}

/** Returns the data; null when they are damaged, or more than `maxBytes`. The check sum at the end is not read. */
export function inflated(data: Uint8Array, maxBytes: number): Uint8Array | null {
  if (((data[0] ?? 0) & 15) !== DEFLATE) return null;
  try {
    return new Inflation(data, maxBytes).run();
  } catch (error) {
    if (error instanceof InflateError) return null;
    throw error;
  }
}
