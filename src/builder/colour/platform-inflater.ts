/** The platform's inflater, driven by its reader: for data that is too short to start our own inflater for. */

import type { WorkMeter } from "../scheduling/work-meter.ts";

interface ReadResult {
  done: boolean;
  value?: Uint8Array | undefined;
}

/** Bytes of output per read, where the platform lets the reader provide the buffer. */
const READ_BYTES = 65_536;
/** Bytes of input per write, at most, where writes have no backpressure: deflate may expand them 1032 times. */
const UNPACED_PIECE = 8_192;
const PACED_PIECE = 65_536;

const FED = Symbol("fed");
const TURNED = Symbol("turned");

const ignore = (): void => undefined;

/**
 * Reads what a `DecompressionStream` makes of the pieces that `supply` brings.
 *
 * workerd accepts every write at once and buffers all output: nothing holds a decompression bomb back. There, pieces
 * are small, and one is written only when a read is waiting that earlier pieces did not answer. workerd is recognised
 * by its byte streams, which other platforms (Node) do not have. Those pace writes themselves, and need larger pieces
 * to be fast.
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
  /** True when all output of the pieces so far has been read, as far as can be known. */
  #drained = true;
  /** True when a read was answered after the last write, with some or all of its output. */
  #hasAnswer = false;
  #turning: Promise<typeof TURNED> | null = null;
  #closed = false;
  #lastWrite: Promise<void> = Promise.resolve();

  /**
   * @param supply gives the next piece of a zlib stream, of at most that many bytes; null after the last. It must not
   *   overwrite a piece later.
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
   * Returns the next bytes of output, valid until the next call; null after the last.
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

  /** Closes the streams. `supply` is not called any more, and no call of it is pending. */
  async cancel(reason: unknown): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#writer.abort(reason).catch(ignore), this.#cancelReader(reason).catch(ignore)]);
    await this.#feeding?.catch(ignore);
  }

  /** Returns the answer to a read, if it comes within a whole turn of the event loop. */
  async #readWithinTurn(reading: Promise<ReadResult>): Promise<ReadResult | null> {
    for (;;) {
      // One timer at a time: a timer per read would slow each read down to a turn of the event loop.
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
      // Where the platform paces writes, one piece waits while another is inflated.
      await (this.#paced ? this.#lastWrite : written);
      this.#lastWrite = written;
    } else {
      this.#closed = true;
      await this.#writer.close();
    }
    return FED;
  }
}

/** Returns a reader with buffers of its own, where the stream is a byte stream. */
function byobReader(readable: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return readable.getReader({ mode: "byob" });
  } catch {
    return null;
  }
}

/** Marks a rejection as handled, for a promise that may be dropped. */
function guarded<T>(promise: Promise<T>): Promise<T> {
  promise.catch(ignore);
  return promise;
}
