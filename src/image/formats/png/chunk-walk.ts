/** Chunks of PNG files, as they pass by: PNG 3rd edition section 5.3. */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { crc32 } from "../../bytes/crc32.ts";
import { InvalidImageError } from "../../bytes/errors.ts";
import { latin1, printable, u32be } from "../../bytes/numbers.ts";
import { MAX_INTEGER } from "./header.ts";

/** Chunks whose content is read are at most this long: 256 palette entries. */
const MAX_READ = 768;

export interface Chunk {
  head: Uint8Array;
  type: string;
  size: number;
}

/** Reads the length and the type of the chunk that follows. @throws InvalidImageError when there is none */
export function* nextChunk(feed: ByteFeed): Parsing<Chunk> {
  const head = yield* feed.take(8, "PNG, before its IEND chunk");
  const size = u32be(head, 0);
  const type = latin1(head, 4);
  if (size > MAX_INTEGER || !/^[A-Za-z]{4}$/.test(type)) {
    throw new InvalidImageError(`PNG has no chunk at byte ${feed.position - 8}, but "${printable(type)}"`);
  }
  return { head, type, size };
}

/** The content of a small chunk, its check sum verified. */
export function* contentOf(feed: ByteFeed, { head, type, size }: Chunk): Parsing<Uint8Array> {
  if (size > MAX_READ) throw new InvalidImageError(`PNG chunk ${type} has ${size} bytes`);
  const body = yield* feed.take(size + 4, `PNG chunk ${type}`);
  const content = body.subarray(0, size);
  if (u32be(body, size) !== crc32(content, crc32(head.subarray(4)))) {
    throw new InvalidImageError(`PNG chunk ${type} does not match its check sum`);
  }
  return content;
}

/** Passes a chunk's content and check sum. */
export const pass = (feed: ByteFeed, { type, size }: Chunk): Parsing<void> =>
  feed.skip(size + 4, `PNG chunk ${type}`);
