/** The master on its way in: counted, watched, and its loss told from a fault of the picture. */

/** A stream that gives nothing for so long is taken for dead. */
const STALL_MS = 20_000;

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

/**
 * Watches `master`, which is to bring `expectedBytes`.
 * Its stream fails with SourceLost when there are fewer or more of them, when it breaks, or when it stalls.
 */
export function openSource(
  master: ReadableStream<Uint8Array>,
  expectedBytes: number,
  stallMs = STALL_MS,
): Source {
  const reader = master.getReader();
  let seen = 0;
  let lost: SourceLost | null = null;
  const lose = (why: string, cause?: unknown): SourceLost => (lost ??= new SourceLost(why, { cause }));

  const next = async (): Promise<Uint8Array | null> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stalled = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(lose(`the master gave nothing for ${stallMs} ms`)), stallMs);
    });
    try {
      const { done, value } = await Promise.race([reader.read(), stalled]);
      seen += value?.length ?? 0;
      if (seen > expectedBytes || (done && seen < expectedBytes)) {
        throw lose(`the master has ${expectedBytes} bytes and ${seen} came`);
      }
      return done ? null : value;
    } catch (error) {
      throw lost ?? lose("the master's stream broke", error);
    } finally {
      if (timer !== undefined) clearTimeout(timer);
    }
  };

  const close = () => reader.cancel().catch(() => undefined);
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
