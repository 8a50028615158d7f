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
/** Symbols for runs of zeros: 3 to 10 with three extra bits, 11 to 138 with seven. */
const FEW_ZEROS = { symbol: 17, least: 3, bits: 3 };
const MANY_ZEROS = { symbol: 18, least: 11, bits: 7 };

interface Node {
  count: number;
  symbols: number[];
}

/**
 * The code lengths that take the fewest bits for the counts, none above `longest`. At least two symbols get a code,
 * because a single one would have to be written in another way.
 */
export function prefixLengths(counts: ArrayLike<number>, longest = LONGEST): Uint8Array {
  const weights = Array.from(counts);
  for (let symbol = 0; weights.filter((n) => n > 0).length < 2; symbol++) weights[symbol] ||= 1;
  for (let least = 1; ; least *= 2) {
    const lengths = new Uint8Array(weights.length);
    let nodes: Node[] = [];
    weights.forEach((n, symbol) => {
      if (n > 0) nodes.push({ count: Math.max(n, least), symbols: [symbol] });
    });
    while (nodes.length > 1) {
      nodes = nodes.sort((a, b) => a.count - b.count);
      const [a, b, ...others] = nodes as [Node, Node, ...Node[]];
      const symbols = [...a.symbols, ...b.symbols];
      for (const symbol of symbols) lengths[symbol] = (lengths[symbol] ?? 0) + 1;
      nodes = [...others, { count: a.count + b.count, symbols }];
    }
    // Higher counts for the rarest symbols make the tree flatter.
    if (Math.max(...lengths) <= longest) return lengths;
  }
}

/** Canonical codes, shortest first (3.7.2). The bits of each are reversed, because they are written lowest first. */
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

/** Writes a code that has only the symbol 0, which takes no bits (3.7.2.1.1). */
export function putZeroCode(writer: BitWriter): void {
  writer.put(1, 1); // Simple,
  writer.put(0, 1); // of one symbol,
  writer.put(0, 1); // which is written in one bit.
  writer.put(0, 1);
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

/** The lengths as symbols of the code of lengths. Zeros are in runs. */
function lengthSteps(lengths: Uint8Array): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < lengths.length;) {
    let zeros = 0;
    while (lengths[at + zeros] === 0 && zeros < 138) zeros++;
    const { symbol, least, bits } = zeros >= MANY_ZEROS.least ? MANY_ZEROS : FEW_ZEROS;
    if (zeros >= least) {
      steps.push({ symbol, extra: zeros - least, bits });
      at += zeros;
    } else {
      steps.push({ symbol: lengths[at] ?? 0, extra: 0, bits: 0 });
      at++;
    }
  }
  return steps;
}
