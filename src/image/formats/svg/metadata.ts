/** Finds the element `metadata` of an SVG (SVG 2, section 5.6), in which editors write RDF. */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { startsWith } from "../../bytes/numbers.ts";
import { METADATA, SVG } from "../../../limits.ts";
import type { MetadataBlocks } from "../metadata/blocks.ts";

const START = "<metadata";
const LESS_THAN = "<".charCodeAt(0);
const SECOND = START.charCodeAt(1);

/** Keeps the text from the first such element on. Its end is found with the packet's. */
export function* readSvgMetadata(feed: ByteFeed, found: MetadataBlocks): Parsing<void> {
  while (feed.position < SVG.maxBytes && (yield* feed.hasMore())) {
    const window = yield* feed.window("SVG");
    const at = candidateIn(window);
    feed.drop(at);
    if (at === window.length) continue;
    if (startsWith(yield* feed.peek(START.length), START)) {
      found.xmp = yield* feed.takeUpTo(METADATA.blockMaxBytes);
      return;
    }
    feed.drop(1);
  }
}

/** Returns where the element may begin: at a `<` with its second letter behind it, or at the end. */
function candidateIn(window: Uint8Array): number {
  for (let at = window.indexOf(LESS_THAN); at !== -1; at = window.indexOf(LESS_THAN, at + 1))
    if (at + 1 === window.length || window[at + 1] === SECOND) return at;
  return window.length;
}
