/** Finds the XMP of a GIF, an application extension (XMP part 3, section 1.1.2). */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { latin1 } from "../../bytes/numbers.ts";
import { METADATA } from "../../../limits.ts";
import type { MetadataBlocks } from "../metadata/blocks.ts";
import { EXTENSION, HAS_TABLE, IMAGE } from "./probe.ts";

const APPLICATION = 0xff;
const XMP = "XMP DataXMP";

export function* readGifMetadata(feed: ByteFeed, found: MetadataBlocks): Parsing<void> {
  const head = yield* feed.take(13, "GIF");
  yield* skipTable(feed, head[10]!);
  for (let blocks = 0; blocks < METADATA.walkedMax; blocks++) {
    const introducer = yield* feed.byte("GIF");
    if (introducer === IMAGE) {
      yield* skipTable(feed, (yield* feed.take(9, "GIF"))[8]!);
      yield* feed.skip(1, "GIF");
    } else if (introducer !== EXTENSION) return;
    else if ((yield* feed.byte("GIF")) === APPLICATION) {
      const name = yield* feed.take(yield* feed.byte("GIF"), "GIF");
      if (latin1(name) === XMP) {
        found.xmp = yield* packet(feed);
        return;
      }
    }
    yield* skipBlocks(feed);
  }
}

function* skipTable(feed: ByteFeed, flags: number): Parsing<void> {
  if (flags & HAS_TABLE) yield* feed.skip(3 << ((flags & 7) + 1), "GIF");
}

function* skipBlocks(feed: ByteFeed): Parsing<void> {
  for (let size = yield* feed.byte("GIF"); size > 0; size = yield* feed.byte("GIF"))
    yield* feed.skip(size, "GIF");
}

/**
 * Reads the packet, which is stored as it is: a reader of blocks takes its letters for lengths, and the bytes after it
 * lead such a reader to the end, wherever it comes from.
 */
function* packet(feed: ByteFeed): Parsing<Uint8Array> {
  const kept = new Uint8Array(METADATA.blockMaxBytes);
  let length = 0;
  const keep = (bytes: Uint8Array): void => {
    const part = bytes.subarray(0, kept.length - length);
    kept.set(part, length);
    length += part.length;
  };
  for (let size = yield* feed.byte("GIF"); size > 0 && length < kept.length; size = yield* feed.byte("GIF")) {
    keep(Uint8Array.of(size));
    keep(yield* feed.take(size, "GIF"));
  }
  return kept.subarray(0, length);
}
