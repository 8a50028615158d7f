/** Prefix codes of VP8L images (RFC 9649, 3.7.2): finds the best for given counts, and writes them to the file. */

/** Writes bits. The first bit of a byte is its lowest. */
export class BitWriter {
  readonly bytes: number[] = [];
  #pending = 0;
  #count = 0;

  put(value: number, count: number): void {
    for (let i = 0; i < count; i++) {
      this.#pending |= ((value >> i) & 1) << this.#count;
      this.#count++;
      if (this.#count < 8) continue;
      this.bytes.push(this.#pending);
      this.#pending = 0;
      this.#count = 0;
    }
  }

  /** Writes what another one wrote. */
  append({ bytes, rest }: BitWriter): void {
    for (const byte of bytes) this.put(byte, 8);
    this.put(rest.bits, rest.count);
  }

  /** The bits that do not fill a byte yet. */
  get rest(): { bits: number; count: number } {
    return { bits: this.#pending, count: this.#count };
  }
}

/** Most bits of the code of an image's symbols, and of the code of those codes' lengths. */
const LONGEST = 15;
const LONGEST_OF_LENGTHS = 7;
/** The order in which the lengths of the code of lengths are written (3.7.2.1.2). */
const LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const FEWEST_STATED = 4;
/** Symbols for runs: the last length that was not 0, 3 to 6 times; zeros, 3 to 10 and 11 to 138 times. */
const REPEATED = { symbol: 16, least: 3, bits: 2 };
const FEW_ZEROS = { symbol: 17, least: 3, bits: 3 };
const MANY_ZEROS = { symbol: 18, least: 11, bits: 7 };
/** The length that may be repeated before any was written. */
const LENGTH_AT_FIRST = 8;

/**
 * Returns the code lengths that take the fewest bits for the counts, none above `longest`. At least two symbols get a
 * code, because a single one would have to be written in another way.
 */
export function prefixLengths(counts: ArrayLike<number>, longest = LONGEST): Uint8Array {
  const weights = Array.from(counts);
  let used = weights.reduce((sum, n) => sum + Number(n > 0), 0);
  for (let symbol = 0; used < 2; symbol++) {
    if (weights[symbol]) continue;
    weights[symbol] = 1;
    used++;
  }
  const symbols = weights.flatMap((n, symbol) => (n > 0 ? [symbol] : []));
  for (let least = 1; ; least *= 2) {
    const depths = leafDepths(symbols.map((symbol) => Math.max(weights[symbol] ?? 0, least)));
    // Higher counts for the rarest symbols make the tree flatter.
    if (Math.max(...depths) > longest) continue;
    const lengths = new Uint8Array(weights.length);
    symbols.forEach((symbol, leaf) => (lengths[symbol] = depths[leaf] ?? 0));
    return lengths;
  }
}

/** Returns the depth of each leaf in Huffman's tree. Leaves and inner nodes are two queues, each in order of weight. */
function leafDepths(weights: readonly number[]): number[] {
  const count = weights.length;
  const order = weights.map((_, leaf) => leaf).sort((a, b) => weights[a]! - weights[b]!);
  const sums = new Float64Array(2 * count - 1);
  order.forEach((leaf, at) => (sums[at] = weights[leaf]!));
  const parents = new Uint16Array(2 * count - 1);
  let [leaf, inner] = [0, count];
  for (let node = count; node < sums.length; node++) {
    for (let child = 0; child < 2; child++) {
      const takesLeaf = leaf < count && (inner >= node || sums[leaf]! <= sums[inner]!);
      const taken = takesLeaf ? leaf++ : inner++;
      sums[node] = sums[node]! + sums[taken]!;
      parents[taken] = node;
    }
  }
  const depths = new Uint8Array(sums.length);
  for (let node = sums.length - 2; node >= 0; node--) depths[node] = depths[parents[node]!]! + 1;
  const result = new Array<number>(count).fill(0);
  order.forEach((of, at) => (result[of] = depths[at]!));
  return result;
}

/**
 * Returns canonical codes, shortest first (3.7.2). The bits of each are reversed, because they are written lowest
 * first.
 */
export function prefixCodes(lengths: Uint8Array): Uint32Array {
  const codes = new Uint32Array(lengths.length);
  let code = 0;
  for (let length = 1; length <= LONGEST; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      for (let bit = 0; bit < length; bit++) {
        if ((code >> bit) & 1) codes[symbol] = (codes[symbol] ?? 0) | (1 << (length - 1 - bit));
      }
      code++;
    }
    code <<= 1;
  }
  return codes;
}

/** Most symbols of a simple code, and the values below which its symbols are written. */
const SIMPLE_SYMBOLS = 2;
const SIMPLE_MAX = 256;

/** Writes a code that has one symbol, which takes no bits, or two, which take one each (3.7.2.1.1). */
function putSimpleCode(writer: BitWriter, symbols: readonly number[]): void {
  const [first = 0, second] = symbols;
  writer.put(1, 1); // Simple,
  writer.put(symbols.length - 1, 1); // of so many symbols,
  const isShort = first < 2;
  writer.put(Number(!isShort), 1); // the first of which is written in one bit or in eight.
  writer.put(first, isShort ? 1 : 8);
  if (second !== undefined) writer.put(second, 8);
}

/** Writes a code that has only the symbol 0. */
export const putZeroCode = (writer: BitWriter): void => {
  putSimpleCode(writer, [0]);
};

/**
 * Writes the code that takes the fewest bits for the counts.
 * @returns the length of each symbol's code; 0 for a single symbol
 */
export function putBestCode(writer: BitWriter, counts: Uint32Array): Uint8Array {
  const symbols = [...counts.keys()].filter((symbol) => counts[symbol]! > 0);
  if (symbols.length > SIMPLE_SYMBOLS || symbols.some((symbol) => symbol >= SIMPLE_MAX)) {
    const lengths = prefixLengths(counts);
    putCode(writer, lengths);
    return lengths;
  }
  putSimpleCode(writer, symbols.length > 0 ? symbols : [0]);
  const lengths = new Uint8Array(counts.length);
  if (symbols.length === SIMPLE_SYMBOLS) for (const symbol of symbols) lengths[symbol] = 1;
  return lengths;
}

/** Writes a code by its lengths (3.7.2.1.2). */
export function putCode(writer: BitWriter, lengths: Uint8Array): void {
  const steps = lengthSteps(lengths);
  const counts = new Uint32Array(LENGTH_ORDER.length);
  for (const { symbol } of steps) counts[symbol] = (counts[symbol] ?? 0) + 1;
  const own = prefixLengths(counts, LONGEST_OF_LENGTHS);
  const codes = prefixCodes(own);
  let stated = LENGTH_ORDER.length;
  while (stated > FEWEST_STATED && own[LENGTH_ORDER[stated - 1] ?? 0] === 0) stated--;
  writer.put(0, 1);
  writer.put(stated - FEWEST_STATED, 4);
  for (const symbol of LENGTH_ORDER.slice(0, stated)) writer.put(own[symbol] ?? 0, 3);
  writer.put(0, 1); // The lengths of all symbols are written.
  for (const { symbol, extra, bits } of steps) {
    writer.put(codes[symbol] ?? 0, own[symbol] ?? 0);
    writer.put(extra, bits);
  }
}

interface Step {
  symbol: number;
  extra: number;
  bits: number;
}

/**
 * Returns the lengths as symbols of the code of lengths. Zeros, and repetitions of the last other length, are in runs.
 */
function lengthSteps(lengths: Uint8Array): Step[] {
  const steps: Step[] = [];
  let last = LENGTH_AT_FIRST;
  for (let at = 0; at < lengths.length;) {
    const length = lengths[at]!;
    let run = 1;
    while (at + run < lengths.length && lengths[at + run] === length) run++;
    const zeros = run >= MANY_ZEROS.least ? MANY_ZEROS : FEW_ZEROS;
    const kind = length === 0 ? zeros : REPEATED;
    if ((length === 0 || length === last) && run >= kind.least) {
      run = Math.min(run, kind.least + 2 ** kind.bits - 1);
      steps.push({ symbol: kind.symbol, extra: run - kind.least, bits: kind.bits });
      at += run;
      continue;
    }
    steps.push({ symbol: length, extra: 0, bits: 0 });
    if (length > 0) last = length;
    at++;
  }
  return steps;
}
