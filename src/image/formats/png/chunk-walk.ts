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
export function* contentOf(feed: ByteFeed, { head, type, size }: Chunk): Parsing<Uint8Array> {
  if (size > CONTENT_MAX_BYTES) throw new InvalidImageError(`PNG chunk ${type} has ${size} bytes`);
  const body = yield* feed.take(size + 4, `PNG chunk ${type}`);
  const content = body.subarray(0, size);
  if (u32be(body, size) !== crc32(content, crc32(head.subarray(4)))) {
    throw new InvalidImageError(`PNG chunk ${type} does not match its check sum`);
  }
  return content;
}

/** Skips a chunk's content and check sum. */
export const skipChunk = (feed: ByteFeed, { type, size }: Chunk): Parsing<void> =>
  feed.skip(size + 4, `PNG chunk ${type}`);
