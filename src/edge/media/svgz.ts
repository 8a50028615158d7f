/** Decompresses a drawing (svgz), so that the drawing itself is stored and served. */
import { ApiError } from "../../errors.ts";
import { SvgRejectedError } from "../../image/formats/probe.ts";
import { SVG } from "../../limits.ts";

/** The bytes of an upload, decompressed when they are gzip. */
export class Unzipped implements AsyncIterable<Uint8Array> {
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #beforeInflating: () => Promise<void>;
  /** Whether the upload is gzip. Known once the first bytes have come. */
  wasCompressed = false;

  /** @param beforeInflating called once it is known that the upload is gzip, before more of it is read */
  constructor(body: AsyncIterable<Uint8Array>, beforeInflating: () => Promise<void>) {
    this.#body = body;
    this.#beforeInflating = beforeInflating;
  }

  /** @throws SvgRejectedError for damaged gzip, and for more than SVG.maxBytes of content; what `beforeInflating` throws */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const chunks = this.#body[Symbol.asyncIterator]();
    try {
      const head: Uint8Array[] = [];
      let start: number[] = [];
      while (start.length < 2) {
        const step = await chunks.next();
        if (step.done === true) break;
        head.push(step.value);
        start = [...start, ...step.value.subarray(0, 2 - start.length)];
      }
      this.wasCompressed = start[0] === 0x1f && start[1] === 0x8b;
      if (this.wasCompressed) await this.#beforeInflating();
      const whole = rest(head, chunks);
      yield* this.wasCompressed ? inflated(whole) : whole;
    } finally {
      await chunks.return?.();
    }
  }
}

async function* rest(head: Uint8Array[], chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* head;
  for (let step = await chunks.next(); !step.done; step = await chunks.next()) yield step.value;
}

async function* inflated(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  let lost: { cause: unknown } | null = null;
  const feeding = (async () => {
    try {
      for await (const chunk of file) {
        for (let at = 0; at < chunk.length; at += SVG.inflatedPieceBytes) {
          await writer.ready;
          // A copy: the platform may keep the buffer that it is given.
          await writer.write(chunk.slice(at, at + SVG.inflatedPieceBytes));
        }
      }
      await writer.close();
    } catch (cause) {
      lost = { cause };
      await writer.abort(cause).catch(() => undefined);
    }
  })();
  const reader = readable.getReader();
  let total = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      total += value.length;
      if (total > SVG.maxBytes) {
        throw new SvgRejectedError(`the drawing is larger than ${SVG.maxBytes} bytes once it is inflated`);
      }
      yield value;
    }
  } catch (error) {
    if (error instanceof SvgRejectedError) throw error;
    await feeding;
    throw failureOf(lost);
  } finally {
    await reader.cancel().catch(() => undefined);
    await feeding;
  }
}

/**
 * Returns the error of a failed unpacking. A client that went away or sent too much did not send a damaged file: its
 * own error is thrown.
 */
function failureOf(lost: { cause: unknown } | null): unknown {
  if (lost?.cause instanceof ApiError) return lost.cause;
  return new SvgRejectedError("the drawing is compressed with gzip that is damaged or cut short");
}
