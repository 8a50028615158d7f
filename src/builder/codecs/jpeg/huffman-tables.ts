/** Quantisation and Huffman tables of JPEG variants. */

/** Position in rows of the k-th coefficient in zigzag order (ITU T.81 figure A.6). */
// prettier-ignore
export const ZIGZAG = Uint8Array.of(
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
  58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
);

/** Tables K.1 and K.2, in rows: what libjpeg scales by the quality. */
// prettier-ignore
const LUMA = Uint8Array.of(
  16, 11, 10, 16, 24, 40, 51, 61,
  12, 12, 14, 19, 26, 58, 60, 55,
  14, 13, 16, 24, 40, 57, 69, 56,
  14, 17, 22, 29, 51, 87, 80, 62,
  18, 22, 37, 56, 68, 109, 103, 77,
  24, 35, 55, 64, 81, 104, 113, 92,
  49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
);
// prettier-ignore
const CHROMA = Uint8Array.of(
  17, 18, 24, 47, 99, 99, 99, 99,
  18, 21, 26, 66, 99, 99, 99, 99,
  24, 26, 56, 99, 99, 99, 99, 99,
  47, 66, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
);

/** Luma's and chroma's table in rows, for a quality of 1 to 100 on libjpeg's scale. */
export function quantTables(quality: number): [luma: Uint8Array, chroma: Uint8Array] {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality;
  const scaled = (table: Uint8Array): Uint8Array =>
    table.map((base) => Math.max(1, Math.min(255, Math.floor((base * percent + 50) / 100))));
  return [scaled(LUMA), scaled(CHROMA)];
}

export interface HuffmanTable {
  /** Codes of each length, 1 to 16 (BITS, C.1), then the symbols in order of their codes (HUFFVAL). */
  readonly lengths: Uint8Array;
  readonly symbols: Uint8Array;
}

/** Longest code that JPEG has, and longest that 257 counts can lead to before they are limited. */
const LONGEST = 16;
/** The symbol that holds the code of all ones, which must not be used (K.2). */
const RESERVED = 256;

/**
 * The table with the fewest bits for the counts of 256 symbols, by the procedure of K.2. Symbols that were not
 * counted have no code.
 */
export function optimalTable(counts: ArrayLike<number>): HuffmanTable {
  const sizes = codeSizes(counts);
  const perLength = new Array<number>(RESERVED + 2).fill(0);
  for (const size of sizes) if (size > 0) perLength[size] = (perLength[size] ?? 0) + 1;
  limitLengths(perLength);
  // The longest code is that of the reserved symbol: it goes.
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

/** Lengths of an unlimited Huffman code (figure K.1), the reserved symbol last. */
function codeSizes(counts: ArrayLike<number>): number[] {
  const weights = Array.from({ length: RESERVED }, (_, symbol) => counts[symbol] ?? 0);
  weights.push(1);
  const sizes = new Array<number>(RESERVED + 1).fill(0);
  let trees = weights
    .map((weight, symbol) => ({ weight, leaves: [symbol] }))
    .filter(({ weight }) => weight > 0);
  while (trees.length > 1) {
    // Among equals the later symbol goes deeper: the reserved one is sure to be among the longest.
    trees.sort((a, b) => a.weight - b.weight || Math.max(...b.leaves) - Math.max(...a.leaves));
    const [first, second, ...others] = trees;
    if (!first || !second) break;
    const leaves = [...first.leaves, ...second.leaves];
    for (const leaf of leaves) sizes[leaf] = (sizes[leaf] ?? 0) + 1;
    trees = [...others, { weight: first.weight + second.weight, leaves }];
  }
  return sizes;
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

/** Code and length of each of 256 symbols (C.2), interleaved; a length of 0 where there is none. */
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

/** Whether a symbol of baseline coding exists: DC categories to 11; AC sizes 1 to 10, end of block, 16 zeros. */
export function isSymbol(symbol: number, isAc: boolean): boolean {
  if (!isAc) return symbol <= 11;
  const size = symbol & 15;
  return symbol === 0 || symbol === 0xf0 || (size >= 1 && size <= 10);
}
