/** Chunks of WebP files, as they pass by: RFC 9649 section 2.3. */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { InvalidImageError } from "../../bytes/errors.ts";
import { latin1, printable, u32le } from "../../bytes/numbers.ts";

export interface Chunk {
  type: string;
  size: number;
  /** Offset in the file where its content ends, padding left out. */
  end: number;
}

/** @param limit offset in the file where what holds the chunk ends */
export function* nextChunk(feed: ByteFeed, limit: number): Parsing<Chunk> {
  const head = yield* feed.take(8, "WebP, before the end of its RIFF chunk");
  const type = printable(latin1(head, 0, 4));
  const size = u32le(head, 4);
  const end = feed.position + size;
  if (end > limit) throw new InvalidImageError(`WebP chunk ${type} is longer than what holds it`);
  return { type, size, end };
}

/** Passes what is left of a chunk, and the byte that pads an odd one, which some writers leave out at the end. */
export function* leave(feed: ByteFeed, chunk: Chunk, limit: number): Parsing<void> {
  const next = Math.min(chunk.end + (chunk.size & 1), limit);
  yield* feed.skip(next - feed.position, `WebP chunk ${chunk.type}`);
}
