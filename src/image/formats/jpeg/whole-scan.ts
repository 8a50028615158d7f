/**
 * Finds out whether the entropy-coded data of a scan are complete, for a file without an EOI marker: only the number of
 * coded blocks tells a file that lost its last two bytes from one that was cut off.
 */
import { HuffmanTables } from "./huffman-tables.ts";
import type { Component, Frame } from "./frame-header.ts";

const BLOCK_COEFFICIENTS = 64;
/** Run and size of an AC symbol for 16 zeros; every other symbol of size 0 ends the block (T.81 F.2.2.2). */
const SIXTEEN_ZEROS = 0xf0;

export interface ScanMember extends Component {
  /** The slots of its Huffman tables. */
  dc: number;
  ac: number;
}

export interface SequentialScan {
  frame: Frame;
  members: ScanMember[];
  tables: HuffmanTables;
  /** MCUs between restart markers; 0 for none. */
  restartInterval: number;
}

/** Whether `data` code every block of the scan. Its work is bounded by the bits of `data`. */
export function isWholeScan(
  data: Uint8Array,
  { frame, members, tables, restartInterval }: SequentialScan,
): boolean {
  const isInterleaved = members.length > 1;
  const blocks = members.flatMap((member) => {
    const codes = { dc: tables.lookup(0, member.dc), ac: tables.lookup(1, member.ac) };
    return Array.from({ length: isInterleaved ? member.horizontal * member.vertical : 1 }, () => codes);
  });
  const bits = new EntropyBits(data);
  const count = mcusOf(frame, members);
  for (let mcu = 0; mcu < count; mcu += 1) {
    if (restartInterval > 0 && mcu > 0 && mcu % restartInterval === 0 && !bits.restart()) return false;
    for (const { dc, ac } of blocks) if (!dc || !ac || !passBlock(bits, dc, ac)) return false;
  }
  return true;
}

/** The number of MCUs: blocks in a scan of one component, else groups of blocks of all (T.81 A.2). */
function mcusOf({ width, height, components }: Frame, members: ScanMember[]): number {
  const across = Math.max(...components.map(({ horizontal }) => horizontal));
  const down = Math.max(...components.map(({ vertical }) => vertical));
  const [only] = members;
  if (members.length > 1 || only === undefined) {
    return Math.ceil(width / (8 * across)) * Math.ceil(height / (8 * down));
  }
  // The sampling factors of a frame's only component have no effect (A.2.2).
  const share = components.length === 1 ? [1, 1] : [only.horizontal / across, only.vertical / down];
  return Math.ceil(Math.ceil(width * share[0]!) / 8) * Math.ceil(Math.ceil(height * share[1]!) / 8);
}

/** Passes one block. @returns false when the data end in it, or have a bit pattern that is no code */
function passBlock(bits: EntropyBits, dc: Uint16Array, ac: Uint16Array): boolean {
  const size = bits.symbol(dc);
  if (size < 0 || !bits.skip(size)) return false;
  for (let k = 1; k < BLOCK_COEFFICIENTS;) {
    const symbol = bits.symbol(ac);
    if (symbol < 0) return false;
    const valueBits = symbol & 15;
    if (valueBits === 0 && symbol !== SIXTEEN_ZEROS) return true;
    if (!bits.skip(valueBits)) return false;
    k += (symbol >> 4) + 1;
  }
  return true;
}

/** Reads the bits of entropy-coded data: stuffed zeros are dropped, and a marker ends a segment (T.81 F.2.2.5). */
class EntropyBits {
  readonly #data: Uint8Array;
  #at = 0;
  #buffer = 0;
  #count = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  /** The next symbol; -1 when the data end before it, or have none. @param lookup see HuffmanTables */
  symbol(lookup: Uint16Array): number {
    this.#fill();
    const pattern =
      this.#count >= 16 ? this.#buffer >>> (this.#count - 16) : this.#buffer << (16 - this.#count);
    const entry = lookup[pattern & 0xffff]!;
    return entry !== 0 && this.skip(entry >> 8) ? entry & 255 : -1;
  }

  /** Skips up to 16 bits. @returns false when the data end before */
  skip(count: number): boolean {
    this.#fill();
    if (count > this.#count) return false;
    this.#count -= count;
    this.#buffer &= (1 << this.#count) - 1;
    return true;
  }

  /** Goes on after the next restart marker. @returns false when there is none */
  restart(): boolean {
    this.#buffer = this.#count = 0;
    const at = this.#data.indexOf(0xff, this.#at);
    const marker = at === -1 ? 0 : (this.#data[at + 1] ?? 0);
    this.#at = at + 2;
    return marker >= 0xd0 && marker <= 0xd7;
  }

  #fill(): void {
    while (this.#count <= 16 && this.#at < this.#data.length) {
      const byte = this.#data[this.#at]!;
      if (byte === 0xff) {
        if (this.#data[this.#at + 1] !== 0) return;
        this.#at += 1;
      }
      this.#at += 1;
      this.#buffer = (this.#buffer << 8) | byte;
      this.#count += 8;
    }
  }
}
