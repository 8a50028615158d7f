import { InvalidImageError } from "../../bytes/errors.ts";
import { latin1, printable } from "../../bytes/numbers.ts";

/** A box whose content is in memory: ISO/IEC 14496-12 section 4.2. */
export interface Box {
  type: string;
  body: Uint8Array;
}

/** Reads big-endian fields one after another. Every read past the end throws InvalidImageError. */
export class Reader {
  readonly #bytes: Uint8Array;
  readonly #where: string;
  #at = 0;

  /** @param where the part that is read, for the message "AVIF {where} is too short" */
  constructor(bytes: Uint8Array, where: string) {
    this.#bytes = bytes;
    this.#where = where;
  }

  /** Reads an unsigned integer of 0 to 8 bytes. */
  uint(size: number): number {
    let value = 0;
    for (const byte of this.bytes(size)) value = value * 256 + byte;
    // Values above 2^53 are rounded. As offsets they lie past the end of any file, so they are refused later.
    return value;
  }

  u8 = (): number => this.uint(1);
  u16 = (): number => this.uint(2);
  u32 = (): number => this.uint(4);
  i32 = (): number => this.uint(4) | 0;
  fourcc = (): string => latin1(this.bytes(4));

  bytes(size: number): Uint8Array {
    const end = this.#at + size;
    if (end > this.#bytes.length) throw new InvalidImageError(`AVIF ${this.#where} is too short`);
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  skip(size: number): void {
    this.bytes(size);
  }

  /** Reads all remaining bytes. */
  rest(): Uint8Array {
    return this.bytes(this.#bytes.length - this.#at);
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Reads text up to a zero byte or the end. Only the first 256 characters are returned. */
  text(): string {
    const rest = this.rest();
    const end = rest.indexOf(0);
    return latin1(rest.subarray(0, Math.min(end === -1 ? rest.length : end, 256)));
  }

  /** Reads the version and flags at the beginning of a FullBox. */
  full(): { version: number; flags: number } {
    return { version: this.u8(), flags: this.uint(3) };
  }
}

/** Yields the boxes in `bytes`. */
export function* boxesIn(bytes: Uint8Array, where: string): Generator<Box, void, undefined> {
  const reader = new Reader(bytes, `box ${where}`);
  while (!reader.atEnd) {
    const size32 = reader.u32();
    const type = reader.fourcc();
    if (size32 === 0) {
      yield { type, body: reader.rest() };
      return;
    }
    const head = size32 === 1 ? 16 : 8;
    const size = size32 === 1 ? reader.uint(8) : size32;
    if (size < head) throw new InvalidImageError(`AVIF box ${printable(type)} has a size of ${size} bytes`);
    yield { type, body: reader.bytes(size - head) };
  }
}

/** Returns the content of the first box of this type; null if there is none. */
export function firstBox(boxes: Iterable<Box>, type: string): Uint8Array | null {
  for (const box of boxes) if (box.type === type) return box.body;
  return null;
}
