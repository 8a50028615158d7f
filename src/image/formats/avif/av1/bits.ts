/** Reads the bits of AV1 headers, most significant first: AV1 specification section 4.10. */

/** AV1 data end early, or are not of the expected kind. The message says why. */
export class Av1Error extends Error {
  override readonly name = "Av1Error";
}

export class BitReader {
  /** Index of the next bit. */
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Reads f(count), of up to 32 bits. @throws Av1Error after the last bit */
  read(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      const byte = this.#bytes[this.at >> 3];
      if (byte === undefined) throw new Av1Error("an AV1 header ends early");
      value = value * 2 + ((byte >> (7 - (this.at & 7))) & 1);
      this.at += 1;
    }
    return value;
  }

  /** Reads ns(count): section 4.10.7. @throws Av1Error after the last bit */
  readBelow(count: number): number {
    const wide = 32 - Math.clz32(count);
    const short = 2 ** wide - count;
    const value = this.read(wide - 1);
    return value < short ? value : 2 * value - short + this.read(1);
  }

  flag = (): boolean => this.read(1) === 1;

  /** Skips `count` bits. @throws Av1Error after the last bit */
  skip(count: number): void {
    for (let left = count; left > 0; left -= 32) this.read(Math.min(left, 32));
  }

  /** Skips a uvlc(): section 4.10.3. */
  skipUvlc(): void {
    let zeros = 0;
    while (zeros < 32 && !this.flag()) zeros++;
    if (zeros < 32) this.skip(zeros);
  }
}
