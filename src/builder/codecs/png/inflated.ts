/** Inflates the filtered rows of a PNG. Its IDAT chunks are one zlib stream (PNG specification, clause 10). */
import { type ChunkPlace, type ChunkReader, END, isCritical } from "./chunks.ts";
import { PngDecodeError } from "./errors.ts";
import { INPUT_BYTES, type PngModule } from "./module.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";

/** Where an inflater that was forked can continue to read compressed data. */
export interface ResumePoint {
  readonly place: ChunkPlace;
  /** Whether the file was read to its end. */
  readonly isAtEnd: boolean;
}

/** How far the stream is inflated after the last row, to see its check sum: some encoders pad. */
const PADDING_MAX_BYTES = 1_024;
/** Work units of reading the codes of a block. A block may contain nothing else, in 12 bytes. */
const CODES_WORK = 1_200;
/** Bytes that are skipped at a time, and work units per byte. */
const SKIPPED_BYTES = 32_768;
const SKIPPED_WORK = 2;

/**
 * Inflates in the decoder's memory. A DecompressionStream would pass every few kilobytes between threads or over
 * promises, and workerd's holds all the output of a decompression bomb.
 */
export class InflatedData {
  readonly #memory: WebAssembly.Memory;
  readonly #wasm: PngModule;
  readonly #chunks: ChunkReader;
  readonly #meter: WorkMeter;
  #isAtEnd: boolean;

  /**
   * @param wasm laid out for the picture
   * @param chunks at the data of the first IDAT, or where the active inflater continues
   * @param meter counts the work of making tables; the caller counts that of the inflated bytes
   * @param isAtEnd whether `chunks` has been read to its end
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

  /** Where a fork of the inflater, made now, continues. */
  get resumePoint(): ResumePoint {
    return { place: this.#chunks.place, isAtEnd: this.#isAtEnd };
  }

  /** Inflates until the next `wanted` bytes can be read. @throws PngDecodeError when the data end before */
  async need(wanted: number): Promise<void> {
    if ((await this.#inflate(wanted)) < wanted) throw corrupt("The compressed data end before the last row");
  }

  /** Inflates the next `bytes` and drops them. */
  async skip(bytes: number): Promise<void> {
    for (let left = bytes; left > 0;) {
      const piece = Math.min(left, SKIPPED_BYTES);
      await this.need(piece);
      this.#wasm.readInflated(piece);
      await this.#meter.spend(SKIPPED_WORK * piece);
      left -= piece;
    }
  }

  /** Checks the end of the compressed data, where it is near, and the chunks up to IEND or the end of the file. */
  async finish(): Promise<void> {
    // Bytes beyond the rows are ignored, as in browsers.
    await this.#inflate(PADDING_MAX_BYTES + 1);
    // Bytes after the end of the stream, in its chunks, have no meaning.
    while (!this.#isAtEnd) await this.#bring(false);
    this.#chunks.cancel();
  }

  cancel(): void {
    this.#chunks.cancel();
  }

  /** Inflates until `wanted` bytes can be read, or the stream is at its end. @returns the bytes that can be read */
  async #inflate(wanted: number): Promise<number> {
    for (;;) {
      const have = this.#wasm.inflate(wanted);
      await this.#meter.spend(CODES_WORK * this.#wasm.takeCodesRead());
      if (have < 0) throw corrupt("The compressed data cannot be inflated");
      if (have >= wanted || this.#wasm.isInflated()) return have;
      if (this.#isAtEnd || !(await this.#bring(true))) this.#wasm.endInput();
    }
  }

  /**
   * Reads the next compressed bytes of the file. They become input of the inflater if `isWanted`, else they are
   * dropped.
   * @returns false when there were none, and the file is read to its end
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

  /** Skips the chunks after the pixels, from one of type `first` up to IEND or the end of the file. */
  async #passOver(first: string): Promise<void> {
    let type: string | undefined = first;
    while (type !== undefined && type !== END) {
      if (type === "IDAT") throw corrupt("The IDAT chunks are not consecutive");
      if (isCritical(type)) throw corrupt(`${type} is out of place`);
      await this.#chunks.skip();
      type = (await this.#chunks.nextOrEnd())?.type;
    }
  }
}

function corrupt(message: string): PngDecodeError {
  return new PngDecodeError("CORRUPT", message);
}
