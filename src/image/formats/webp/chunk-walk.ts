/** Reads the chunks of a WebP file one after another: RFC 9649 section 2.3. */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { InvalidImageError } from "../../bytes/errors.ts";
import { latin1, printable, u32le } from "../../bytes/numbers.ts";

export interface Chunk {
  type: string;
  size: number;
  /** Offset in the file where its content ends, before any padding. */
  end: number;
}

const HEAD_BYTES = 8;

/**
 * Returns whether another chunk follows before `end`, where the RIFF chunk says that it ends. Fewer bytes than the head
 * of a chunk are ignored. The file may end 8 bytes earlier: some writers count the head of the RIFF chunk in its size.
 */
export function* hasNextChunk(feed: ByteFeed, end: number): Parsing<boolean> {
  const left = end - feed.position;
  return left > HEAD_BYTES || (left === HEAD_BYTES && (yield* feed.hasMore()));
}

/**
 * Reads the head of the next chunk.
 * @param limit offset in the file where the enclosing chunk ends
 * @throws InvalidImageError for a chunk that extends beyond it
 */
export function* nextChunk(feed: ByteFeed, limit: number): Parsing<Chunk> {
  const head = yield* feed.take(HEAD_BYTES, "WebP, before the end of its RIFF chunk");
  const type = printable(latin1(head, 0, 4));
  const size = u32le(head, 4);
  const end = feed.position + size;
  if (end > limit) throw new InvalidImageError(`WebP chunk ${type} is longer than what holds it`);
  return { type, size, end };
}

/** Skips the rest of a chunk and the padding byte of an odd length, which some writers omit at the end of the file. */
export function* skipRest(feed: ByteFeed, chunk: Chunk, limit: number): Parsing<void> {
  const next = Math.min(chunk.end + (chunk.size & 1), limit);
  yield* feed.skip(next - feed.position, `WebP chunk ${chunk.type}`);
}
