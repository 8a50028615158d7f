/** Reads the `colr` properties of the primary item: ISO/IEC 23008-12 section 6.5.5. */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import type { CodePoints } from "../../model/code-points.ts";
import { contentOf, nextBox } from "./box-walk.ts";
import { readItems } from "./items.ts";

interface AvifColour {
  icc?: Uint8Array;
  codePoints?: CodePoints;
}

export function* readAvifColour(feed: ByteFeed): Parsing<AvifColour> {
  for (;;) {
    const box = yield* nextBox(feed);
    if (box.type === "meta") {
      const { primary, properties } = readItems(yield* contentOf(feed, box));
      const { icc, codePoints } = properties.get(primary ?? 0) ?? {};
      return {
        ...(icc && { icc }),
        // The decoder converts a narrow range to the full one when it converts YCbCr to RGB.
        ...(codePoints && { codePoints: { ...codePoints, fullRange: true } }),
      };
    }
    // A box without a size runs to the end of the file.
    if (box.size === null) return {};
    yield* feed.skip(box.size, "AVIF");
  }
}
