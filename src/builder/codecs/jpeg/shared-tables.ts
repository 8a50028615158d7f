/** Gives scans Huffman tables. Neighbouring scans share one where that takes fewer bits than one more table. */
import { codesOf, type HuffmanTable, optimalTable } from "./huffman-tables.ts";
import { type Scan, tableBytes } from "./markers.ts";

export interface CountedScan {
  /** The component of the module. */
  readonly part: number;
  readonly scan: Scan;
  /** How often each of 256 symbols occurs. */
  readonly counts: Uint32Array;
}

export interface CodedScan {
  readonly part: number;
  readonly scan: Scan;
  readonly table: HuffmanTable;
  /** Whether it has the table of the scan before. */
  readonly isShared: boolean;
}

export interface CodedScans {
  readonly scans: readonly CodedScan[];
  /** Bits of their tables and of their data. */
  readonly bits: number;
}

/** Bits of a table that has every symbol. */
const MOST_TABLE_BITS = 8 * (21 + 256);

/** Returns the bits that follow a symbol: of a value, or of a run of blocks that end (ITU T.81 F.1.2, G.1.2.2). */
function extraBits(symbol: number, isAc: boolean): number {
  if (!isAc) return symbol;
  const size = symbol & 15;
  return size === 0 && symbol !== 0xf0 ? symbol >> 4 : size;
}

/** Returns the bits of symbols with those that follow them, and of their table. */
export function bitsOf(counts: Uint32Array, table: HuffmanTable, isAc: boolean): number {
  const codes = codesOf(table);
  let bits = 8 * tableBytes(table);
  counts.forEach((count, symbol) => (bits += count * (codes[2 * symbol + 1]! + extraBits(symbol, isAc))));
  return bits;
}

const sumOf = (scans: readonly CountedScan[]): Uint32Array => {
  const sum = new Uint32Array(256);
  for (const { counts } of scans) counts.forEach((count, symbol) => (sum[symbol]! += count));
  return sum;
};

/** @param scans of one class: of DC coefficients, or of AC coefficients */
export function shareTables(scans: readonly CountedScan[]): CodedScans {
  // The best way to code the first scans, by their number.
  const best: CodedScans[] = [{ scans: [], bits: 0 }];
  for (let end = 1; end <= scans.length; end++) {
    let least: CodedScans | null = null;
    for (let first = end - 1; first >= 0; first--) {
      const before = best[first]!;
      const group = scans.slice(first, end);
      const counts = sumOf(group);
      const table = optimalTable(counts);
      const bits = before.bits + bitsOf(counts, table, group[0]!.scan.to > 0);
      if (!least || bits < least.bits) {
        const coded = group.map(({ part, scan }, i) => ({ part, scan, table, isShared: i > 0 }));
        least = { scans: [...before.scans, ...coded], bits };
      }
      // A longer group loses as much as this one. It spares a table per scan at most.
      if (bits > least.bits + first * MOST_TABLE_BITS) break;
    }
    best.push(least!);
  }
  return best.at(-1)!;
}
