/** The platform's inflater, driven step by step from its reading side: for data too short to be worth one of our own. */

import type { WorkMeter } from "../scheduling/work-meter.ts";

interface ReadResult {
  done: boolean;
  value?: Uint8Array | undefined;
}

/** Bytes of output that one read takes where the platform lets the reader bring the buffer. */
const READ_BYTES = 65_536;
/** Most bytes of input at once where writes are not held back: 1032 times as much may come out of deflate. */
const UNPACED_PIECE = 8_192;
const PACED_PIECE = 65_536;

const FED = Symbol("fed");
const TURNED = Symbol("turned");

const ignore = (): void => undefined;

/**
 * Reads what a `DecompressionStream` makes of the pieces that `supply` brings.
 *
 * workerd's accepts every write at once and keeps all output: nothing holds a decompression bomb back. So a
 * piece is written only when a read is waiting and has had its chance to be answered from earlier pieces, and
 * pieces are small. workerd's is told by its byte streams, which others (Node) do not have; those pace
 * writes themselves, and need larger pieces to be fast.
 */
export class PlatformInflater {
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  readonly #issueRead: () => Promise<ReadResult>;
  readonly #cancelReader: (reason: unknown) => Promise<void>;
  readonly #supply: (most: number) => Promise<Uint8Array | null>;
  readonly #work: WorkMeter;
  readonly #paced: boolean;
  #reading: Promise<ReadResult> | null = null;
  #feeding: Promise<typeof FED> | null = null;
  /** True when all output of what was written so far has been read, as far as can be known. */
  #drained = true;
  /** True when a read was answered after the last piece was written: some of its output, or all. */
  #hasAnswer = false;
  #turning: Promise<typeof TURNED> | null = null;
  #closed = false;
  #lastWrite: Promise<void> = Promise.resolve();

  /**
   * @param supply the next piece of a zlib stream, at most so many bytes where that matters; null after the last.
   *   A piece must keep its content.
   */
  constructor(supply: (most: number) => Promise<Uint8Array | null>, work: WorkMeter) {
    this.#supply = supply;
    this.#work = work;
    const { readable, writable } = new DecompressionStream("deflate");
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(ignore);
    const byob = byobReader(readable);
    this.#paced = byob === null;
    if (byob) {
      let buffer = new ArrayBuffer(READ_BYTES);
      this.#issueRead = async () => {
        const result = await byob.read(new Uint8Array(buffer, 0, READ_BYTES));
        if (result.value) buffer = result.value.buffer;
        this.#drained = (result.value?.byteLength ?? 0) < READ_BYTES;
        this.#hasAnswer = true;
        return result;
      };
      this.#cancelReader = (reason) => byob.cancel(reason);
      byob.closed.catch(ignore);
    } else {
      const reader = readable.getReader();
      this.#issueRead = () => reader.read();
      this.#cancelReader = (reason) => reader.cancel(reason);
      reader.closed.catch(ignore);
    }
  }

  /**
   * The next bytes of output, valid until the next call; null after the last.
   * @throws what `supply` throws, and the platform's error for data that cannot be transformed
   */
  async read(): Promise<Uint8Array | null> {
    for (;;) {
      this.#reading ??= guarded(this.#issueRead());
      if (!this.#drained) {
        const early = await this.#readWithinTurn(this.#reading);
        if (early) return this.#taken(early);
        this.#drained = true;
      }
      if (!this.#closed) this.#feeding ??= guarded(this.#feed());
      const first = await (this.#feeding ? Promise.race([this.#reading, this.#feeding]) : this.#reading);
      if (first !== FED) return this.#taken(first);
      this.#feeding = null;
      if (!this.#paced && !this.#hasAnswer) this.#drained = false;
    }
  }

  /** Gives the streams up. Afterwards nothing is asked of `supply`, and nothing still at work there. */
  async cancel(reason: unknown): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#writer.abort(reason).catch(ignore), this.#cancelReader(reason).catch(ignore)]);
    await this.#feeding?.catch(ignore);
  }

  /** The answer to a read, if it comes within a whole turn of the event loop. */
  async #readWithinTurn(reading: Promise<ReadResult>): Promise<ReadResult | null> {
    for (;;) {
      // One turn is under way at a time: a timer for every read would slow each down to it.
      const isWhole = this.#turning === null;
      this.#turning ??= this.#work.yield().then(() => {
        this.#turning = null;
        return TURNED;
      });
      const first = await Promise.race([reading, this.#turning]);
      if (first !== TURNED) return first;
      if (isWhole) return null;
    }
  }

  async #taken(result: ReadResult): Promise<Uint8Array | null> {
    this.#reading = null;
    if (!result.done && result.value) return result.value;
    // A platform may end its output with the compressed data: the input is read to its end all the same.
    while (!this.#closed) {
      await (this.#feeding ?? this.#feed());
      this.#feeding = null;
    }
    return null;
  }

  async #feed(): Promise<typeof FED> {
    const piece = await this.#supply(this.#paced ? PACED_PIECE : UNPACED_PIECE);
    if (piece) {
      this.#hasAnswer = false;
      const written = guarded(this.#writer.write(piece as BufferSource));
      // A platform that paces writes is kept supplied: one piece waits while another is worked on.
      await (this.#paced ? this.#lastWrite : written);
      this.#lastWrite = written;
    } else {
      this.#closed = true;
      await this.#writer.close();
    }
    return FED;
  }
}

/** A reader that brings its own buffers, where the stream is one of bytes. */
function byobReader(readable: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return readable.getReader({ mode: "byob" });
  } catch {
    return null;
  }
}

/** A promise that may be dropped without its failure going unhandled. */
function guarded<T>(promise: Promise<T>): Promise<T> {
  promise.catch(ignore);
  return promise;
}
