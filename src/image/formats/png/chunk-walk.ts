/** Reads the chunks of a PNG file one after another: PNG 3rd edition section 5.3. */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { crc32 } from "../../bytes/crc32.ts";
import { InvalidImageError } from "../../bytes/errors.ts";
import { latin1, printable, u32be } from "../../bytes/numbers.ts";
import { MAX_INTEGER } from "./header.ts";

/** The longest content that is read: that of PLTE with 256 entries. */
const CONTENT_MAX_BYTES = 768;

export interface Chunk {
  head: Uint8Array;
  type: string;
  size: number;
}

/** Reads the length and type of the next chunk. @throws InvalidImageError when there is none */
export function* nextChunk(feed: ByteFeed): Parsing<Chunk> {
  const head = yield* feed.take(8, "PNG, before its IEND chunk");
  const size = u32be(head, 0);
  const type = latin1(head, 4);
  if (size > MAX_INTEGER || !/^[A-Za-z]{4}$/.test(type)) {
    throw new InvalidImageError(`PNG has no chunk at byte ${feed.position - 8}, but "${printable(type)}"`);
  }
  return { head, type, size };
}

/** Reads the content of a small chunk and verifies its check sum. @throws InvalidImageError */
export function* contentOf(feed: ByteFeed, chunk: Chunk): Parsing<Uint8Array> {
  const { type, size } = chunk;
  if (size > CONTENT_MAX_BYTES) throw new InvalidImageError(`PNG chunk ${type} has ${size} bytes`);
  const content = yield* soundContentOf(feed, chunk, CONTENT_MAX_BYTES);
  if (content === null) throw new InvalidImageError(`PNG chunk ${type} does not match its check sum`);
  return content;
}

/**
 * Reads the content of an ancillary chunk. Null when it has more than `maxBytes`, or does not match its check sum: such
 * a chunk is ignored, as in browsers.
 */
export function* soundContentOf(
  feed: ByteFeed,
  chunk: Chunk,
  maxBytes: number,
): Parsing<Uint8Array<ArrayBuffer> | null> {
  const { head, type, size } = chunk;
  if (size > maxBytes) {
    yield* skipChunk(feed, chunk);
    return null;
  }
  const body = yield* feed.take(size + 4, `PNG chunk ${type}`);
  const content = body.slice(0, size);
  return u32be(body, size) === crc32(content, crc32(head.subarray(4))) ? content : null;
}

/** Skips a chunk's content and check sum. */
export const skipChunk = (feed: ByteFeed, { type, size }: Chunk): Parsing<void> =>
  feed.skip(size + 4, `PNG chunk ${type}`);
