/** The master on its way in: counted, watched, and its loss told from a fault of the picture. */

/** A stream that gives nothing for so long is taken for dead. */
const STALL_MS = 20_000;
const STALL_CHECKS = 4;
const READ_BYTES = 131_072;

/** The master did not arrive whole: nothing is known of the picture, and another try may succeed. */
export class SourceLost extends Error {
  override readonly name = "SourceLost";
}

export interface Source {
  readonly stream: ReadableStream<Uint8Array>;
  /** Why the master did not arrive, once it is known that it did not. */
  readonly lost: SourceLost | null;
  /** Stops the stream, whatever state it is in. */
  close(): Promise<void>;
}

export interface SourceOptions {
  stallMs?: number;
  /**
   * True when whoever reads is done with a chunk before asking for the next: all of them then come in one buffer.
   * A large master otherwise leaves its own size in garbage, which an isolate has no room for.
   */
  recycle?: boolean;
}

/**
 * Watches `master`, which is to bring `expectedBytes`.
 * Its stream fails with SourceLost when there are fewer or more of them, when it breaks, or when it stalls.
 */
export function openSource(
  master: ReadableStream<Uint8Array>,
  expectedBytes: number,
  { stallMs = STALL_MS, recycle = false }: SourceOptions = {},
): Source {
  const reader = chunkReader(master, recycle);
  let seen = 0;
  let lost: SourceLost | null = null;
  const lose = (why: string, cause?: unknown): SourceLost => (lost ??= new SourceLost(why, { cause }));
  const watch = new StallWatch(stallMs, () => lose(`the master gave nothing for ${stallMs} ms`));

  const next = async (): Promise<Uint8Array | null> => {
    try {
      const chunk = await watch.over(reader.read());
      seen += chunk?.length ?? 0;
      if (seen > expectedBytes || (!chunk && seen < expectedBytes)) {
        throw lose(`the master has ${expectedBytes} bytes and ${seen} came`);
      }
      if (!chunk) watch.end();
      return chunk;
    } catch (error) {
      watch.end();
      throw lost ?? lose("the master's stream broke", error);
    }
  };

  const close = () => {
    watch.end();
    return reader.cancel().catch(() => undefined);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await next();
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    get lost() {
      return lost;
    },
    close,
  };
}

interface ChunkReader {
  /** Null at the end. */
  read(): Promise<Uint8Array | null>;
  cancel(): Promise<void>;
}

/** Byte streams are read in large pieces: by default they come in 4 KB ones. */
function chunkReader(master: ReadableStream<Uint8Array>, recycle: boolean): ChunkReader {
  const byob = byobReader(master);
  if (!byob) {
    const reader = master.getReader();
    return {
      read: async () => (await reader.read()).value ?? null,
      cancel: () => reader.cancel(),
    };
  }
  let spare: ArrayBuffer | null = null;
  return {
    async read() {
      const { done, value } = await byob.read(new Uint8Array(spare ?? new ArrayBuffer(READ_BYTES)));
      spare = recycle && value ? value.buffer : null;
      return done ? null : value;
    },
    cancel: () => byob.cancel(),
  };
}

/** Null for a stream that is not of bytes. */
function byobReader(master: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return master.getReader({ mode: "byob" });
  } catch {
    return null;
  }
}

/** One timer for all reads: a timer for each of thousands costs more than the reads. */
class StallWatch {
  readonly #stallMs: number;
  readonly #stalled: Promise<never>;
  #timer: ReturnType<typeof setInterval> | null = null;
  #waitingSince: number | null = null;

  constructor(stallMs: number, onStall: () => Error) {
    this.#stallMs = stallMs;
    this.#stalled = new Promise<never>((_, reject) => {
      this.#timer = setInterval(() => {
        if (this.#waitingSince === null || Date.now() - this.#waitingSince < this.#stallMs) return;
        this.end();
        reject(onStall());
      }, stallMs / STALL_CHECKS);
    });
    // Nobody may be waiting when it is found out.
    this.#stalled.catch(() => undefined);
  }

  async over<T>(work: Promise<T>): Promise<T> {
    this.#waitingSince = Date.now();
    try {
      return await Promise.race([work, this.#stalled]);
    } finally {
      this.#waitingSince = null;
    }
  }

  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}

/**
 * Reads the whole of `stream` into `target(offset)`-addressed memory: `write` gets each chunk with its offset.
 * @throws SourceLost as the stream does
 */
export async function readAll(
  stream: ReadableStream<Uint8Array>,
  write: (chunk: Uint8Array, offset: number) => void,
): Promise<void> {
  let offset = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    write(value, offset);
    offset += value.length;
  }
}
