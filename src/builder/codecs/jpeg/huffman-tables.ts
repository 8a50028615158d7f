/** Huffman tables of JPEG variants (ITU T.81 annexes C and K). */

export interface HuffmanTable {
  /** The number of codes of each length, 1 to 16 (BITS, C.1). */
  readonly lengths: Uint8Array;
  /** The symbols in the order of their codes (HUFFVAL). */
  readonly symbols: Uint8Array;
}

/** The longest code that JPEG allows, in bits. */
const LONGEST = 16;
/** A symbol beside the 256 of JPEG. It takes the code of all ones, which must not be used (K.2). */
const RESERVED = 256;

/**
 * Returns the table that codes symbols of these counts in the fewest bits, by the procedure of K.2. A symbol with a
 * count of 0 has no code.
 * @param counts of 256 symbols
 */
export function optimalTable(counts: ArrayLike<number>): HuffmanTable {
  const sizes = codeSizes(counts);
  const perLength = new Array<number>(RESERVED + 2).fill(0);
  for (const size of sizes) if (size > 0) perLength[size] = (perLength[size] ?? 0) + 1;
  limitLengths(perLength);
  // The reserved symbol has the longest code. It is left out.
  let longest = LONGEST;
  while (longest > 0 && !perLength[longest]) longest--;
  if (longest > 0) perLength[longest] = (perLength[longest] ?? 0) - 1;
  const symbols: number[] = [];
  for (let symbol = 0; symbol < RESERVED; symbol++) if (sizes[symbol]) symbols.push(symbol);
  symbols.sort((a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0) || a - b);
  return {
    lengths: Uint8Array.from({ length: LONGEST }, (_, i) => perLength[i + 1] ?? 0),
    symbols: Uint8Array.from(symbols),
  };
}

/**
 * Returns the lengths of the codes of 256 symbols and the reserved one, before they are limited to 16 bits (figure
 * K.1).
 */
function codeSizes(counts: ArrayLike<number>): Uint8Array {
  const weights = Float64Array.from({ length: RESERVED + 1 }, (_, symbol) => counts[symbol] ?? 0);
  weights[RESERVED] = 1;
  const sizes = new Uint8Array(RESERVED + 1);
  // The symbols of a tree are a linked list: the next of each symbol, or -1.
  const next = new Int16Array(RESERVED + 1).fill(-1);
  // The trees, by their first symbols, in order.
  const trees = Int16Array.from([...weights.keys()].filter((symbol) => weights[symbol]! > 0));
  for (let count = trees.length; count > 1; count--) {
    const [at, other] = twoLightest(trees, count, weights);
    const [first, second] = [trees[at]!, trees[other]!];
    trees.copyWithin(other, other + 1, count);
    weights[first]! += weights[second]!;
    next[deepen(sizes, next, first)] = second;
    deepen(sizes, next, second);
  }
  return sizes;
}

/**
 * Returns the indices of the tree of least weight and of the next one. Among equals, later trees come first, so that
 * the reserved symbol gets one of the longest codes.
 * @param count of trees, at least 2
 */
function twoLightest(trees: Int16Array, count: number, weights: Float64Array): [number, number] {
  let [first, second] = [-1, -1];
  let [least, next] = [Infinity, Infinity];
  for (let i = 0; i < count; i++) {
    const weight = weights[trees[i]!]!;
    if (weight <= least) {
      [second, next] = [first, least];
      [first, least] = [i, weight];
    } else if (weight <= next) [second, next] = [i, weight];
  }
  return [first, second];
}

/** Makes the codes of all symbols of a tree one bit longer. Returns the last symbol of its list. */
function deepen(sizes: Uint8Array, next: Int16Array, tree: number): number {
  let symbol = tree;
  for (;;) {
    sizes[symbol]! += 1;
    if (next[symbol]! < 0) return symbol;
    symbol = next[symbol]!;
  }
}

/** Shortens codes to 16 bits (figure K.3). */
function limitLengths(perLength: number[]): void {
  const at = (length: number): number => perLength[length] ?? 0;
  for (let length = perLength.length - 1; length > LONGEST; length--) {
    while (at(length) > 0) {
      let shorter = length - 2;
      while (at(shorter) === 0) shorter--;
      perLength[length] = at(length) - 2;
      perLength[length - 1] = at(length - 1) + 1;
      perLength[shorter + 1] = at(shorter + 1) + 2;
      perLength[shorter] = at(shorter) - 1;
    }
  }
}

/** Returns code and length of each of 256 symbols (C.2), interleaved. The length is 0 where a symbol has no code. */
export function codesOf(table: HuffmanTable): Uint32Array {
  const codes = new Uint32Array(512);
  let code = 0;
  let next = 0;
  table.lengths.forEach((count, i) => {
    for (let n = 0; n < count; n++) {
      const symbol = table.symbols[next++] ?? 0;
      codes[2 * symbol] = code++;
      codes[2 * symbol + 1] = i + 1;
    }
    code <<= 1;
  });
  return codes;
}

/**
 * Returns whether baseline coding has this symbol: DC categories up to 11; AC sizes 1 to 10, end of block, 16 zeros.
 */
export function isSymbol(symbol: number, isAc: boolean): boolean {
  if (!isAc) return symbol <= 11;
  const size = symbol & 15;
  return symbol === 0 || symbol === 0xf0 || (size >= 1 && size <= 10);
}
