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

/** An MCU has at most 10 blocks (T.81 B.2.3) of 64 codes and values of 16 bits each, and every byte may be stuffed. */
const MCU_MAX_BYTES = 10 * BLOCK_COEFFICIENTS * 4 * 2;

/** Counts the blocks that the data of a scan code, as the data come. It keeps what one MCU may take. */
export class ScanCounter {
  readonly #blocks: { dc: Uint16Array | null; ac: Uint16Array | null }[];
  readonly #count: number;
  readonly #restartInterval: number;
  readonly #bits = new EntropyBits();
  #mcu = 0;
  #isBroken = false;

  constructor({ frame, members, tables, restartInterval }: SequentialScan) {
    const isInterleaved = members.length > 1;
    this.#blocks = members.flatMap((member) => {
      const codes = { dc: tables.lookup(0, member.dc), ac: tables.lookup(1, member.ac) };
      return Array.from({ length: isInterleaved ? member.horizontal * member.vertical : 1 }, () => codes);
    });
    this.#count = mcusOf(frame, members);
    this.#restartInterval = restartInterval;
  }

  /** Whether further data change nothing. */
  get isDecided(): boolean {
    return this.#isBroken || this.#mcu >= this.#count;
  }

  /** Takes the next data. Its work is bounded by their bits. */
  push(data: Uint8Array): void {
    this.#bits.give(data);
    this.#pass(MCU_MAX_BYTES);
  }

  /** Ends the data. @returns whether they code every block */
  finish(): boolean {
    this.#pass(0);
    return !this.#isBroken;
  }

  /** Passes MCUs while more bytes than `keptBytes` are left. */
  #pass(keptBytes: number): void {
    while (!this.isDecided && (keptBytes === 0 || this.#bits.left > keptBytes)) {
      if (this.#passMcu()) this.#mcu += 1;
      else this.#isBroken = true;
    }
  }

  #passMcu(): boolean {
    const isRestart = this.#restartInterval > 0 && this.#mcu > 0 && this.#mcu % this.#restartInterval === 0;
    if (isRestart && !this.#bits.restart()) return false;
    return this.#blocks.every(({ dc, ac }) => dc !== null && ac !== null && passBlock(this.#bits, dc, ac));
  }
}

/** Returns the number of MCUs: blocks in a scan of one component, else groups of blocks of all (T.81 A.2). */
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
  #data = new Uint8Array();
  #at = 0;
  #buffer = 0;
  #count = 0;

  /** Bytes that are not read yet. */
  get left(): number {
    return this.#data.length - this.#at;
  }

  /** Adds data to those that are left. */
  give(data: Uint8Array): void {
    const left = this.#data.subarray(this.#at);
    this.#data = new Uint8Array(left.length + data.length);
    this.#data.set(left);
    this.#data.set(data, left.length);
    this.#at = 0;
  }

  /** Returns the next symbol; -1 when the data end before it, or have none. @param lookup see HuffmanTables */
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
