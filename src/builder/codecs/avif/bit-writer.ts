/** Writes bits of AV1 headers, most significant first (AV1 specification section 4.10). */
import { BitReader } from "../../../image/formats/avif/av1-bits.ts";

export class BitWriter {
  readonly #bits: number[] = [];

  get length(): number {
    return this.#bits.length;
  }

  /** Writes f(count): `value` in `count` bits. */
  write(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) this.#bits.push(Math.floor(value / 2 ** i) & 1);
  }

  /** Writes ns(limit): a number below `limit` (section 4.10.7). */
  writeBelow(value: number, limit: number): void {
    const bits = Math.floor(Math.log2(limit)) + 1;
    const short = 2 ** bits - limit;
    if (value < short) this.write(value, bits - 1);
    else this.write(value + short, bits);
  }

  /** Copies bits of `bytes`, from `from` up to but not including `to`. */
  copy(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at++) this.#bits.push(((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
  }

  /** All bits, padded with zeros to a whole byte. */
  bytes(): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(Math.ceil(this.#bits.length / 8));
    this.#bits.forEach((bit, i) => (out[i >> 3]! |= bit << (7 - (i & 7))));
    return out;
  }
}

/** Whether `count` bits at two positions are the same. */
export function sameBits(a: Uint8Array, b: Uint8Array, fromA: number, fromB: number, count: number): boolean {
  const [x, y] = [new BitReader(a), new BitReader(b)];
  x.at = fromA;
  y.at = fromB;
  for (let i = 0; i < count; i++) if (x.read(1) !== y.read(1)) return false;
  return true;
}
