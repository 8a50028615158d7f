/** Reads the chunks of a PNG as its bytes arrive (PNG specification, clause 5.3). */
import { piecesOf } from "./body-pieces.ts";
import { PngDecodeError } from "./errors.ts";
import { SIGNATURE } from "./module.ts";

export interface ChunkHeader {
  /** Four ASCII letters. */
  readonly type: string;
  /** Bytes of data. */
  readonly length: number;
}

/** Returns whether a decoder must understand the chunk: its first letter is a capital (clause 5.4). */
export function isCritical(type: string): boolean {
  return type < "a";
}

/** The position of a reader in the data of a chunk, from which another reader can continue. */
export interface ChunkPlace {
  /** Offset of the next byte in the file. */
  readonly offset: number;
  readonly type: string;
  /** Data bytes of the chunk that are not read yet, and the CRC of those before. */
  readonly left: number;
  readonly crc: number;
}

/** The chunk that ends a file. */
export const END = "IEND";

const LONGEST = 0x7fffffff;
/** Bytes between the data of two chunks. */
const CRC_AND_HEADER_BYTES = 12;

/**
 * Walks through chunks in order. The data of each may be read or skipped; the CRC is checked if they were read. A
 * piece of the body is not used after the next one is asked for.
 */
export class ChunkReader {
  readonly #body: AsyncIterator<Uint8Array>;
  readonly #crcOf: (bytes: Uint8Array, before: number) => number;
  #buffered: Uint8Array = new Uint8Array();
  #ended = false;
  #type = "";
  /** Data bytes of the current chunk that are not read yet. */
  #left = 0;
  #crc = 0;
  #passed: ChunkHeader | null = null;
  /** Number of bytes of the file that were read. */
  #offset = 0;

  /**
   * @param crcOf continues a CRC-32 over bytes
   * @param place where the body begins, if not at the beginning of the file
   */
  constructor(
    body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
    crcOf: (bytes: Uint8Array, before: number) => number,
    place?: ChunkPlace,
  ) {
    this.#body = piecesOf(body)[Symbol.asyncIterator]();
    this.#crcOf = crcOf;
    if (!place) return;
    ({ offset: this.#offset, type: this.#type, left: this.#left, crc: this.#crc } = place);
  }

  get place(): ChunkPlace {
    return { offset: this.#offset, type: this.#type, left: this.#left, crc: this.#crc };
  }

  /** Reads and checks the eight bytes before the first chunk. */
  async signature(): Promise<void> {
    const bytes = await this.#exactly(SIGNATURE.length);
    if (bytes.some((byte, i) => byte !== SIGNATURE[i]))
      throw corrupt("The file does not begin as a PNG does");
  }

  /** Returns the header of the next chunk. The data of the current one must have been read or skipped. */
  async next(): Promise<ChunkHeader> {
    return this.#parseHeader(await this.#exactly(8));
  }

  /** Returns the header of the next chunk; null at the end of the file. */
  async nextOrEnd(): Promise<ChunkHeader | null> {
    return (await this.#hasMore()) ? await this.next() : null;
  }

  #parseHeader(bytes: Uint8Array): ChunkHeader {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    const name = bytes.subarray(4);
    if (length > LONGEST) throw corrupt("A chunk is longer than the format allows");
    if (!name.every((byte) => (byte | 32) >= 97 && (byte | 32) <= 122)) {
      throw corrupt("A chunk type does not consist of letters");
    }
    this.#type = String.fromCharCode(...name);
    this.#left = length;
    this.#crc = this.#crcOf(name, 0);
    return { type: this.#type, length };
  }

  /**
   * Reads data of the current chunk, and of the chunks of the same type that follow it, as far as they have arrived: at
   * least one byte and at most `most`. Many files have chunks of a few kilobytes; one promise serves several of them.
   * @param place takes the bytes and continues the CRC of their chunk
   * @returns the number of bytes placed; 0 at a chunk of another type, whose header is then in `passed`, and at the end of
   *   the file, which is then IEND
   */
  async gather(most: number, place: (bytes: Uint8Array, before: number) => number): Promise<number> {
    let placed = 0;
    while (placed < most) {
      if (this.#left > 0) {
        if (this.#buffered.length === 0) {
          if (placed > 0) return placed;
          await this.#fill();
        }
        const bytes = this.#takeBuffered(Math.min(most - placed, this.#left));
        this.#left -= bytes.length;
        this.#crc = place(bytes, this.#crc);
        placed += bytes.length;
        continue;
      }
      const isHere = this.#buffered.length >= CRC_AND_HEADER_BYTES;
      if (!isHere && placed > 0) return placed;
      if (isHere) this.#checkCrcOf(this.#takeBuffered(4));
      else this.#checkCrcOf(await this.#exactly(4));
      const before = this.#type;
      const header = isHere ? this.#parseHeader(this.#takeBuffered(8)) : await this.nextOrEnd();
      if (header?.type === before) continue;
      this.#passed = header ?? { type: END, length: 0 };
      break;
    }
    return placed;
  }

  /** The header of the first chunk of another type that `gather` came to; null before that. */
  get passed(): ChunkHeader | null {
    return this.#passed;
  }

  /** Returns all data of the chunk. The CRC is checked. */
  async readAll(): Promise<Uint8Array> {
    const bytes = await this.readSound();
    if (bytes === null) throw this.#wrongCrc();
    return bytes;
  }

  /** Returns all data of the chunk; null when its CRC is wrong. */
  async readSound(): Promise<Uint8Array | null> {
    const bytes = new Uint8Array(await this.#exactly(this.#left));
    this.#left = 0;
    this.#crc = this.#crcOf(bytes, this.#crc);
    return this.#isCrc(await this.#exactly(4)) ? bytes : null;
  }

  /** Skips the data and the CRC of the chunk. */
  async skip(): Promise<void> {
    let left = this.#left + 4;
    while (left > 0) left -= (await this.#some(left)).length;
    this.#left = 0;
  }

  /** Cancels the body, without waiting for it: it may stall. */
  cancel(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#body.return?.().catch(() => undefined);
  }

  #checkCrcOf(bytes: Uint8Array): void {
    if (!this.#isCrc(bytes)) throw this.#wrongCrc();
  }

  #isCrc(bytes: Uint8Array): boolean {
    return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) === this.#crc;
  }

  #wrongCrc(): PngDecodeError {
    return corrupt(`The CRC of ${this.#type} is wrong`);
  }

  /** Reads at least one byte and at most `most`. */
  async #some(most: number): Promise<Uint8Array> {
    if (this.#buffered.length === 0) await this.#fill();
    return this.#takeBuffered(most);
  }

  /** Waits for the next piece of the body. */
  async #fill(): Promise<void> {
    if (await this.#hasMore()) return;
    throw new PngDecodeError("TRUNCATED", `The file ends inside ${this.#type || "its signature"}`);
  }

  /** Waits until there are bytes. @returns false at the end of the file */
  async #hasMore(): Promise<boolean> {
    while (this.#buffered.length === 0) {
      const next = this.#ended ? null : await this.#body.next();
      if (!next || next.done) {
        this.#ended = true;
        return false;
      }
      this.#buffered = next.value;
    }
    return true;
  }

  /** Returns the bytes that have arrived, at most `most` of them. */
  #takeBuffered(most: number): Uint8Array {
    const bytes = this.#buffered.subarray(0, most);
    this.#buffered = this.#buffered.subarray(bytes.length);
    this.#offset += bytes.length;
    return bytes;
  }

  /** Reads exactly `length` bytes, valid until the next read. They are copied only when they arrive in pieces. */
  async #exactly(length: number): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array();
    const first = await this.#some(length);
    if (first.length === length) return first;
    // Grows with the bytes that arrive, because the length may be false. Copies, because the body may reuse its
    // buffers.
    const pieces = [first.slice()];
    for (let have = first.length; have < length;) {
      const piece = await this.#some(length - have);
      pieces.push(piece.slice());
      have += piece.length;
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }
}

function corrupt(message: string): PngDecodeError {
  return new PngDecodeError("CORRUPT", message);
}
