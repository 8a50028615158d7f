/** Reading the body of a request that may be refused before its end, or that may never end. */
import { UPLOAD } from "../../../limits.ts";
import { BodyPace, tooSlow } from "./body-pace.ts";

const SECOND_MS = 1000;

/** Reads a body chunk by chunk, and waits for its sender only as long as its pace allows. */
class PacedReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #pace = new BodyPace();
  readonly #ticking: ReturnType<typeof setInterval>;
  /** Ends the read that waits; null while none does. */
  #giveUp: (() => void) | null = null;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
    this.#ticking = setInterval(() => this.#tick(), SECOND_MS);
  }

  /** Returns the next chunk; null at the end. @throws ApiError REQUEST_TOO_SLOW, and what the body throws */
  async next(): Promise<Uint8Array | null> {
    const reading = this.#reader.read();
    const late = new Promise<never>((_, reject) => (this.#giveUp = () => reject(tooSlow())));
    try {
      const { done, value } = await Promise.race([reading, late]);
      if (done) return null;
      this.#pace.received(value.byteLength);
      return value;
    } finally {
      this.#giveUp = null;
    }
  }

  #tick(): void {
    if (!this.#giveUp) return;
    this.#pace.waited();
    if (this.#pace.isTooSlow) this.#giveUp();
  }

  end(): void {
    clearInterval(this.#ticking);
  }
}

/**
 * Yields the chunks of a request's body. A reader that stops early is held until the rest has come too, up to what an
 * upload may have: a client that is still sending when the answer comes loses the connection, and never reads why it
 * was refused. A sender that is too slow is not waited for.
 * @throws ApiError REQUEST_TOO_SLOW
 */
export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = new PacedReader(body);
  let bytes = 0;
  let isOpen = true;
  const next = async (): Promise<Uint8Array | null> => {
    const chunk = await reader.next();
    if (chunk) bytes += chunk.byteLength;
    else isOpen = false;
    return chunk;
  };
  try {
    for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
  } catch (error) {
    isOpen = false;
    throw error;
  } finally {
    // RULES 10.4.
    while (isOpen && bytes <= UPLOAD.maxBytes) await next().catch(() => (isOpen = false));
    reader.end();
  }
}

/** Returns the Content-Length of a request; null without one, and for one that is no number. */
export function contentLengthOf({ headers }: Request): number | null {
  const length = headers.get("Content-Length") ?? "";
  return /^\d+$/.test(length) ? Number(length) : null;
}

/** Takes the rest of a body that no reader has begun. */
export async function passOver(body: ReadableStream<Uint8Array>): Promise<void> {
  if (!body.locked) await passOverRest(chunksOf(body));
}

/**
 * Takes the rest of the chunks of a body, however many of them were read. A generator that has not begun runs no `finally`
 * when it is ended, so its first chunk is read.
 */
export async function passOverRest(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const rest = chunks[Symbol.asyncIterator]();
  await rest.next().catch(() => undefined);
  await rest.return?.();
}
