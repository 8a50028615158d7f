/** The master on its way in: counted, watched, and its loss told from a fault of the picture. */
import type { MasterPieces, ReadRange } from "../../image/protocol/build.ts";
import { MASTER_PIECES } from "../../limits.ts";
import { type Chunks, Pieces } from "./chunks.ts";
import { type ReadAgain, readAgainBy } from "./range-reader.ts";
import { SourceLost, STALL_MS } from "./source-lost.ts";

export { SourceLost } from "./source-lost.ts";

const STALL_CHECKS = 4;

export interface Source {
  /** A chunk keeps its content until the next but one is asked for: who inflates may still be at work on it. */
  readonly stream: ReadableStream<Uint8Array>;
  /** The length of the whole master. */
  readonly byteLength: number;
  /** Reads parts of it beside the stream, until `close`; undefined where nobody lets it. */
  readonly readAgain: ReadAgain | undefined;
  /** For how long its bytes were waited for so far, in milliseconds. */
  readonly waitedMs: number;
  /** Why the master did not arrive, once it is known that it did not. */
  readonly lost: SourceLost | null;
  /** Stops the stream in any state, and the reads beside it. */
  close(): Promise<void>;
}

export interface SourceOptions {
  stallMs?: number;
  /** Disposed of with the source. */
  readRange?: ReadRange | undefined;
  /** The most that is read of a part at a time; null where no part is read again. */
  rangeBytes?: number | null;
}

/** Watches a master of `expectedBytes`, whose pieces are asked for ahead (see `watched`). */
export const openSource = (master: MasterPieces, expectedBytes: number, options?: SourceOptions): Source =>
  watched(new Pieces(master, expectedBytes), expectedBytes, options);

/**
 * Watches `chunks`, which are to bring `expectedBytes`.
 * Its stream fails with SourceLost when there are fewer or more of them, when they break off or stall, and when a read
 * waits while the source is closed.
 */
export function watched(
  chunks: Chunks,
  expectedBytes: number,
  { stallMs = STALL_MS, readRange, rangeBytes }: SourceOptions = {},
): Source {
  let seen = 0;
  let lost: SourceLost | null = null;
  const lose = (why: string, cause?: unknown): SourceLost => (lost ??= new SourceLost(why, { cause }));
  const watch = new StallWatch(stallMs, () => lose(`the master stalled for ${stallMs} ms`));

  const next = async (): Promise<Uint8Array | null> => {
    try {
      const chunk = await watch.over(chunks.read());
      seen += chunk?.length ?? 0;
      if (seen > expectedBytes || (!chunk && seen < expectedBytes)) {
        throw lose(`the master has ${expectedBytes} bytes and ${seen} came`);
      }
      if (!chunk) watch.end();
      return chunk;
    } catch (error) {
      watch.end();
      throw lost ?? lose(`the master's bytes broke off: ${String(error)}`, error);
    }
  };

  const closed = new AbortController();
  const close = () => {
    watch.end(new SourceLost("the master is not read any more"));
    closed.abort();
    readRange?.[Symbol.dispose]?.();
    return chunks.cancel().catch(() => undefined);
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
  const pieceBytes = Math.min(rangeBytes ?? MASTER_PIECES.bytes, expectedBytes);
  return {
    stream,
    byteLength: expectedBytes,
    readAgain: readRange && readAgainBy(readRange, pieceBytes, { stallMs, signal: closed.signal }),
    get waitedMs() {
      return watch.waitedMs;
    },
    get lost() {
      return lost;
    },
    close,
  };
}

/**
 * One timer for all reads: a timer for each of thousands costs more than the reads. Nor are they raced against one
 * promise of the stall: it would keep every chunk that was ever read.
 */
class StallWatch {
  readonly #timer: ReturnType<typeof setInterval>;
  #waitingSince = 0;
  waitedMs = 0;
  #giveUp: ((error: Error) => void) | null = null;

  constructor(stallMs: number, onStall: () => Error) {
    this.#timer = setInterval(() => {
      if (!this.#giveUp || Date.now() - this.#waitingSince < stallMs) return;
      this.end();
      this.#giveUp(onStall());
    }, stallMs / STALL_CHECKS);
  }

  over<T>(work: Promise<T>): Promise<T> {
    this.#waitingSince = Date.now();
    return new Promise<T>((resolve, reject) => {
      this.#giveUp = reject;
      work.then(resolve, reject);
    }).finally(() => {
      this.#giveUp = null;
      this.waitedMs += Date.now() - this.#waitingSince;
    });
  }

  /** @param error what a read that waits fails with */
  end(error?: Error): void {
    clearInterval(this.#timer);
    if (error) this.#giveUp?.(error);
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
