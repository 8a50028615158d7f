/** Reading the body of a request that may be refused before its end. */
import { UPLOAD } from "../../limits.ts";

/**
 * The chunks of a request's body. Who stops early is held until the rest has come too, up to what an upload may have: a
 * client that is still sending when the answer comes loses the connection, and never reads why it was refused.
 */
export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  let isOpen = true;
  const next = async (): Promise<Uint8Array | null> => {
    const { done, value } = await reader.read();
    if (done) isOpen = false;
    else bytes += value.byteLength;
    return done ? null : value;
  };
  try {
    for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
  } catch (error) {
    isOpen = false;
    throw error;
  } finally {
    // RULES 10.4.
    while (isOpen && bytes <= UPLOAD.maxBytes) await next().catch(() => (isOpen = false));
  }
}

/** Takes what is left of a body that nobody has begun to read. */
export async function passOver(body: ReadableStream<Uint8Array>): Promise<void> {
  if (body.locked) return;
  const chunks = chunksOf(body);
  await chunks.next().catch(() => undefined);
  await chunks.return(undefined);
}
