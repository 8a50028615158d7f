/** Finds the chunks EXIF and XMP of a WebP, which stand after the picture (RFC 9649, section 2.7.1.5). */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { METADATA } from "../../../limits.ts";
import { keptOf, type MetadataBlocks } from "../metadata/blocks.ts";
import { nextChunk, skipRest } from "./chunk-walk.ts";

const RIFF_HEADER_BYTES = 12;

export function* readWebpMetadata(feed: ByteFeed, found: MetadataBlocks): Parsing<void> {
  yield* feed.skip(RIFF_HEADER_BYTES, "WebP");
  for (let chunks = 0; chunks < METADATA.walkedMax && (yield* feed.hasMore()); chunks++) {
    const chunk = yield* nextChunk(feed, Infinity);
    if (chunk.type === "EXIF") found.exif ??= yield* keptOf(feed, chunk.size);
    else if (chunk.type === "XMP ") found.xmp ??= yield* keptOf(feed, chunk.size);
    if (found.exif && found.xmp) return;
    yield* skipRest(feed, chunk, Infinity);
  }
}
