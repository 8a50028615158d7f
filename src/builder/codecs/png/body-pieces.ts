/** The body of a PNG in pieces. */

/** Most bytes of one read of a byte stream. */
const PIECE_BYTES = 65_536;

/**
 * Returns the body in pieces. A byte stream is read in large pieces: those of workerd have 4 KB, and leave much
 * garbage.
 */
export function piecesOf(
  body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
): AsyncIterable<Uint8Array> {
  if (!("getReader" in body)) return body;
  try {
    return readBytes(body.getReader({ mode: "byob" }));
  } catch {
    return body as AsyncIterable<Uint8Array>;
  }
}

async function* readBytes(reader: ReadableStreamBYOBReader): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(PIECE_BYTES));
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
