/** Reads what a WebP file states of itself: chunks, and the header of a VP8 key frame (RFC 6386, 9.2 to 9.11). */

/** The boolean decoder of RFC 6386, 7.3, bit by bit. */
export class BoolReader {
  readonly #bytes: Uint8Array;
  #at = 2;
  #value: number;
  #range = 255;
  #bits = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#value = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  }

  bit(probability: number): boolean {
    const split = 1 + (((this.#range - 1) * probability) >> 8);
    const isOne = this.#value >= split * 256;
    if (isOne) {
      this.#range -= split;
      this.#value -= split * 256;
    } else {
      this.#range = split;
    }
    while (this.#range < 128) {
      this.#range *= 2;
      this.#value *= 2;
      if (++this.#bits < 8) continue;
      this.#bits = 0;
      this.#value += this.#bytes[this.#at++] ?? 0;
    }
    return isOne;
  }

  literal(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value = 2 * value + (this.bit(128) ? 1 : 0);
    return value;
  }
}

/** Names and data of a file's chunks, once their lengths were found to add up. */
export function chunksOf(file: Buffer): Map<string, Buffer> {
  if (file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WEBP") {
    throw new Error("It is no WebP file");
  }
  if (file.readUInt32LE(4) !== file.length - 8) throw new Error("The length of the file is another");
  const chunks = new Map<string, Buffer>();
  let at = 12;
  while (at < file.length) {
    const length = file.readUInt32LE(at + 4);
    chunks.set(file.toString("latin1", at, at + 4), file.subarray(at + 8, at + 8 + length));
    at += 8 + length + (length % 2);
  }
  if (at !== file.length) throw new Error("The chunks do not end with the file");
  return chunks;
}

export interface FrameHeader {
  width: number;
  height: number;
  firstPartitionBytes: number;
  quantisers: number[];
  filters: number[];
}

export function frameHeader(frame: Buffer): FrameHeader {
  const tag = frame.readUIntLE(0, 3);
  const bits = new BoolReader(frame.subarray(10));
  bits.literal(2); // color_space, clamping_type
  const flags = bits.literal(4);
  if (flags !== 15) throw new Error("The segments are not stated in full");
  const values = (count: number): number[] =>
    Array.from({ length: 4 }, () => {
      bits.literal(1);
      const value = bits.literal(count);
      bits.literal(1);
      return value;
    });
  return {
    width: frame.readUInt16LE(6),
    height: frame.readUInt16LE(8),
    firstPartitionBytes: tag >> 5,
    quantisers: values(7),
    filters: values(6),
  };
}
