/** The bytes of an upload, as they arrive. */
import { ApiError } from "../../errors.ts";
import { megabytes, UPLOAD } from "../../limits.ts";

/** A file that is on its way. */
export interface Incoming {
  body: AsyncIterable<Uint8Array>;
  /** The most bytes that the body may have, as its sender has announced. Absent or null if that is not known. */
  announcedBytes?: number | null;
}

const tooLarge = (): ApiError =>
  new ApiError("PAYLOAD_TOO_LARGE", `A file may have at most ${megabytes(UPLOAD.maxBytes)}.`);

/**
 * Yields the body as long as it has no more bytes than it may, before they are decompressed.
 * @throws ApiError PAYLOAD_TOO_LARGE, INVALID_UPLOAD (also if the body breaks off), and what reading it throws
 */
export async function* bounded({ body, announcedBytes = null }: Incoming): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of readable(body)) {
    bytes += chunk.byteLength;
    if (bytes > UPLOAD.maxBytes) throw tooLarge();
    // Memory was reserved for so many bytes alone.
    if (announcedBytes !== null && bytes > announcedBytes) {
      const message = `The body has more than the ${announcedBytes} bytes of its Content-Length. Send the file again.`;
      throw new ApiError("INVALID_UPLOAD", message);
    }
    yield chunk;
  }
}

/** Yields the body. A client that breaks off an upload is not a fault of ours. */
async function* readable(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw new ApiError("INVALID_UPLOAD", "The upload broke off before its end. Send the file again.", {
      cause,
    });
  }
}

/** Yields the body, and keeps its bytes until they turn out to be those of a picture. */
export async function* keepingDrawing(
  body: AsyncIterable<Uint8Array>,
  kept: Uint8Array[],
  isOver: () => boolean,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    if (isOver()) kept.length = 0;
    else kept.push(chunk);
    yield chunk;
  }
}
