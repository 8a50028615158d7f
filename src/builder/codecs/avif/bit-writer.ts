/** Writes bits of AV1 headers, most significant first (AV1 specification section 4.10). */
export class BitWriter {
  readonly #bits: number[] = [];

  /** Writes f(count): `value` in `count` bits. */
  write(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) this.#bits.push(Math.floor(value / 2 ** i) & 1);
  }

  /** Returns all bits, padded with zeros to a whole byte. */
  bytes(): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(Math.ceil(this.#bits.length / 8));
    this.#bits.forEach((bit, i) => (out[i >> 3]! |= bit << (7 - (i & 7))));
    return out;
  }
}
