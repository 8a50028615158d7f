/** The filtered rows of a PNG: its IDAT chunks as one zlib stream, inflated (PNG specification, clause 10). */
import { type ChunkPlace, type ChunkReader, isCritical } from "./chunks.ts";
import { PngDecodeError } from "./errors.ts";
import { INPUT_BYTES, type PngModule } from "./module.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";

/** Where compressed data can be taken up again, by an inflater that was forked there. */
export interface ResumePoint {
  readonly place: ChunkPlace;
  /** The file had been read to its end. */
  readonly isAtEnd: boolean;
}

/** Inflated bytes after the last row that are forgiven; some encoders pad. */
const TOLERATED_BYTES = 1_024;
/** Of the codes of a block: a block may hold nothing else, and be 12 bytes long. */
const CODES_WORK = 1_200;
/** Bytes that are passed over at a time, and the work of one. */
const SKIPPED_BYTES = 32_768;
const SKIPPED_WORK = 2;

/**
 * Inflates in the decoder's memory: a DecompressionStream hands every few kilobytes from thread to thread or over
 * promises, and workerd's keeps all that a decompression bomb becomes.
 */
export class InflatedData {
  readonly #memory: WebAssembly.Memory;
  readonly #wasm: PngModule;
  readonly #chunks: ChunkReader;
  readonly #meter: WorkMeter;
  #isAtEnd: boolean;

  /**
   * @param wasm laid out for the picture
   * @param chunks stands before the data of the first IDAT, or where the inflater at work wants to go on
   * @param meter counts what making tables takes; the bytes that come out are for who takes them to count
   * @param isAtEnd `chunks` has nothing left
   */
  constructor(
    memory: WebAssembly.Memory,
    wasm: PngModule,
    chunks: ChunkReader,
    meter: WorkMeter,
    isAtEnd = false,
  ) {
    this.#memory = memory;
    this.#wasm = wasm;
    this.#chunks = chunks;
    this.#meter = meter;
    this.#isAtEnd = isAtEnd;
  }

  /** For a fork of the inflater as it is now. */
  get resumePoint(): ResumePoint {
    return { place: this.#chunks.place, isAtEnd: this.#isAtEnd };
  }

  /** Sees to it that the next `wanted` bytes can be taken. */
  async need(wanted: number): Promise<void> {
    if ((await this.#inflate(wanted)) < wanted) throw corrupt("Its compressed data end before the last row");
  }

  /** Takes the next `bytes` for nobody. */
  async skip(bytes: number): Promise<void> {
    for (let left = bytes; left > 0;) {
      const piece = Math.min(left, SKIPPED_BYTES);
      await this.need(piece);
      this.#wasm.readInflated(piece);
      await this.#meter.spend(SKIPPED_WORK * piece);
      left -= piece;
    }
  }

  /** Sees to it that the compressed data end with the rows, and the file with IEND. */
  async finish(): Promise<void> {
    if ((await this.#inflate(TOLERATED_BYTES + 1)) > TOLERATED_BYTES) {
      throw corrupt("Its compressed data are longer than the picture");
    }
    // What follows the stream in its chunks means nothing.
    while (!this.#isAtEnd) await this.#bring(false);
    this.#chunks.cancel();
  }

  cancel(): void {
    this.#chunks.cancel();
  }

  /** Inflates until `wanted` bytes are there, or the stream is at its end. @returns the bytes there are */
  async #inflate(wanted: number): Promise<number> {
    for (;;) {
      const have = this.#wasm.inflate(wanted);
      await this.#meter.spend(CODES_WORK * this.#wasm.takeCodesRead());
      if (have < 0) throw corrupt("Its compressed data cannot be inflated");
      if (have >= wanted || this.#wasm.isInflated()) return have;
      if (this.#isAtEnd || !(await this.#bring(true))) this.#wasm.endInput();
    }
  }

  /**
   * Reads the next compressed bytes, into the input when they are wanted.
   * @returns false after the last, with the file read to its end
   */
  async #bring(isWanted: boolean): Promise<boolean> {
    const placed = await this.#chunks.gather(INPUT_BYTES, (bytes, before) => {
      new Uint8Array(this.#memory.buffer, this.#wasm.inputAddress(), bytes.length).set(bytes);
      const crc = this.#wasm.inputCrc(before, bytes.length) >>> 0;
      if (isWanted) this.#wasm.addInput(bytes.length);
      return crc;
    });
    if (this.#chunks.passed) {
      await this.#passOver(this.#chunks.passed.type);
      this.#isAtEnd = true;
    }
    return placed > 0;
  }

  /** What follows the pixels, from a chunk `first` up to IEND. */
  async #passOver(first: string): Promise<void> {
    let type = first;
    while (type !== "IEND") {
      if (type === "IDAT") throw corrupt("Its IDAT chunks are not in a row");
      if (isCritical(type)) throw corrupt(`${type} is out of place`);
      await this.#chunks.skip();
      ({ type } = await this.#chunks.next());
    }
    await this.#chunks.readAll();
  }
}

function corrupt(message: string): PngDecodeError {
  return new PngDecodeError("CORRUPT", message);
}
