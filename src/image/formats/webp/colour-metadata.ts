/** Reads the chunk ICCP, which comes before the pixels: RFC 9649 section 2.7.1.4. */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { isBitstream } from "./bitstream.ts";
import { skipRest, nextChunk } from "./chunk-walk.ts";

const RIFF_HEADER_BYTES = 12;

export function* readWebpColour(feed: ByteFeed, maxBytes: number): Parsing<{ icc?: Uint8Array }> {
  yield* feed.skip(RIFF_HEADER_BYTES, "WebP");
  for (;;) {
    const chunk = yield* nextChunk(feed, Infinity);
    if (isBitstream(chunk.type) || chunk.type === "ANMF") return {};
    if (chunk.type === "ICCP")
      return chunk.size <= maxBytes ? { icc: yield* feed.take(chunk.size, "WebP") } : {};
    yield* skipRest(feed, chunk, Infinity);
  }
}
