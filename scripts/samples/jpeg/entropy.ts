/** Huffman coding of JPEG blocks (ITU T.81 F.1.2, G.1.2) for the JPEG writer. */

/** A Huffman table: how many codes of each length, their symbols, and the code of each symbol. */
export interface HuffmanTable {
  counts: number[];
  symbols: number[];
  codes: Map<number, { code: number; length: number }>;
}

/** Builds a table (annex C) from the length of each symbol's code, in order of length. */
export function tableOf(lengths: readonly (readonly [symbol: number, length: number])[]): HuffmanTable {
  const counts = new Array<number>(16).fill(0);
  const codes = new Map<number, { code: number; length: number }>();
  let code = 0;
  let previous = 0;
  for (const [symbol, length] of lengths) {
    code <<= length - previous;
    previous = length;
    counts[length - 1]! += 1;
    codes.set(symbol, { code: code++, length });
  }
  return { counts, symbols: lengths.map(([symbol]) => symbol), codes };
}

const FREQUENT = [0x01, 0x00, 0x02, 0x11, 0x03, 0xf0];
const others = Array.from({ length: 256 }, (_, symbol) => symbol).filter((s) => !FREQUENT.includes(s));

/** Two pairs of tables: codes of about one length, and codes up to 16 bits long. */
export const TABLES = {
  flat: {
    dc: tableOf(Array.from({ length: 16 }, (_, symbol) => [symbol, 5] as const)),
    ac: tableOf(Array.from({ length: 256 }, (_, symbol) => [symbol, symbol < 128 ? 8 : 9] as const)),
  },
  long: {
    dc: tableOf(Array.from({ length: 12 }, (_, symbol) => [symbol, symbol + 5] as const)),
    ac: tableOf([
      ...FREQUENT.map((symbol, index) => [symbol, index + 2] as const),
      ...others.map((symbol) => [symbol, 16] as const),
    ]),
  },
};

/** Bits into bytes, with the zero byte stuffed after each 0xFF. */
export class BitWriter {
  readonly bytes: number[] = [];
  #buffer = 0;
  #count = 0;

  put(value: number, bits: number): void {
    for (let i = bits - 1; i >= 0; i--) {
      this.#buffer = (this.#buffer << 1) | ((value >> i) & 1);
      if (++this.#count < 8) continue;
      this.bytes.push(this.#buffer);
      if (this.#buffer === 0xff) this.bytes.push(0);
      this.#buffer = 0;
      this.#count = 0;
    }
  }

  symbol(table: HuffmanTable, symbol: number): void {
    const entry = table.codes.get(symbol);
    if (!entry) throw new Error(`symbol ${symbol} is not in the table`);
    this.put(entry.code, entry.length);
  }

  /** Fills the last byte with ones (F.1.2.3). */
  flush(): void {
    if (this.#count > 0) this.put(0xff, 8 - this.#count);
  }

  marker(code: number): void {
    this.flush();
    this.bytes.push(0xff, code);
  }
}

/** Returns the number of bits of a magnitude (table F.1). */
export const magnitudeBits = (value: number): number => (value === 0 ? 0 : 32 - Math.clz32(Math.abs(value)));

function putMagnitude(out: BitWriter, value: number, bits: number): void {
  out.put(value < 0 ? value + (1 << bits) - 1 : value, bits);
}

export function putDc(out: BitWriter, table: HuffmanTable, difference: number): void {
  const bits = magnitudeBits(difference);
  out.symbol(table, bits);
  putMagnitude(out, difference, bits);
}

/** Writes the AC coefficients of a sequential block. @param block 64 coefficients in zigzag order */
export function putAc(out: BitWriter, table: HuffmanTable, block: Int16Array): void {
  let zeros = 0;
  for (let k = 1; k < 64; k++) {
    const value = block[k]!;
    if (value === 0) {
      zeros++;
      continue;
    }
    for (; zeros > 15; zeros -= 16) out.symbol(table, 0xf0);
    const bits = magnitudeBits(value);
    out.symbol(table, (zeros << 4) | bits);
    putMagnitude(out, value, bits);
    zeros = 0;
  }
  if (zeros > 0) out.symbol(table, 0);
}

/** A progressive AC band (G.1.2.2, G.1.2.3): runs of blocks without news are held back. */
export class BandWriter {
  readonly #out: BitWriter;
  readonly #table: HuffmanTable;
  readonly #band: { first: number; last: number; high: number; low: number };
  #run = 0;
  #corrections: number[] = [];

  constructor(
    out: BitWriter,
    table: HuffmanTable,
    band: { first: number; last: number; high: number; low: number },
  ) {
    this.#out = out;
    this.#table = table;
    this.#band = band;
  }

  block(block: Int16Array): void {
    if (this.#band.high === 0) this.#first(block);
    else this.#refine(block);
    if (this.#run === 0x7fff) this.endRun();
  }

  endRun(): void {
    if (this.#run > 0) {
      const bits = 31 - Math.clz32(this.#run);
      this.#out.symbol(this.#table, bits << 4);
      this.#out.put(this.#run & ((1 << bits) - 1), bits);
      this.#run = 0;
    }
    for (const bit of this.#corrections) this.#out.put(bit, 1);
    this.#corrections = [];
  }

  #first(block: Int16Array): void {
    let zeros = 0;
    for (let k = this.#band.first; k <= this.#band.last; k++) {
      const value = Math.trunc(block[k]! / (1 << this.#band.low));
      if (value === 0) {
        zeros++;
        continue;
      }
      this.endRun();
      for (; zeros > 15; zeros -= 16) this.#out.symbol(this.#table, 0xf0);
      const bits = magnitudeBits(value);
      this.#out.symbol(this.#table, (zeros << 4) | bits);
      putMagnitude(this.#out, value, bits);
      zeros = 0;
    }
    if (zeros > 0) this.#run++;
  }

  #refine(block: Int16Array): void {
    const magnitude = (k: number): number => Math.abs(block[k]!) >> this.#band.low;
    let lastNew = 0;
    for (let k = this.#band.first; k <= this.#band.last; k++) if (magnitude(k) === 1) lastNew = k;
    let zeros = 0;
    let corrections: number[] = [];
    for (let k = this.#band.first; k <= this.#band.last; k++) {
      const value = magnitude(k);
      if (value === 0) {
        zeros++;
        continue;
      }
      for (; zeros > 15 && k <= lastNew; zeros -= 16) {
        this.endRun();
        this.#out.symbol(this.#table, 0xf0);
        for (const bit of corrections) this.#out.put(bit, 1);
        corrections = [];
      }
      if (value > 1) {
        corrections.push(value & 1);
        continue;
      }
      this.endRun();
      this.#out.symbol(this.#table, (zeros << 4) | 1);
      this.#out.put(block[k]! < 0 ? 0 : 1, 1);
      for (const bit of corrections) this.#out.put(bit, 1);
      corrections = [];
      zeros = 0;
    }
    if (zeros > 0 || corrections.length > 0) {
      this.#run++;
      this.#corrections.push(...corrections);
    }
  }
}
