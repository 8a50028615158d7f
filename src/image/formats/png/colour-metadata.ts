/** Reads the chunks iCCP and cICP, which come before the pixels: PNG 3rd edition sections 11.3.2.3 and 11.3.2.6. */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import type { CodePoints } from "../../model/code-points.ts";
import { COLOUR_PROFILE } from "../../../limits.ts";
import { nextChunk, skipChunk } from "./chunk-walk.ts";

const SIGNATURE_BYTES = 8;
const CHECK_SUM_BYTES = 4;

interface PngColour {
  /** The content of iCCP, still compressed. */
  iccChunk?: Uint8Array;
  codePoints?: CodePoints;
}

export function* readPngColour(feed: ByteFeed): Parsing<PngColour> {
  const found: PngColour = {};
  yield* feed.skip(SIGNATURE_BYTES, "PNG");
  for (;;) {
    const chunk = yield* nextChunk(feed);
    const { type, size } = chunk;
    if (type === "IDAT" || type === "IEND") return found;
    if (type === "iCCP" && size <= COLOUR_PROFILE.maxBytes) {
      found.iccChunk ??= yield* feed.take(size, "PNG");
      yield* feed.skip(CHECK_SUM_BYTES, "PNG");
    } else if (type === "cICP" && size === 4) {
      const [primaries = 0, transfer = 0, , range] = yield* feed.take(size, "PNG");
      found.codePoints ??= { primaries, transfer, fullRange: range !== 0 };
      yield* feed.skip(CHECK_SUM_BYTES, "PNG");
    } else {
      yield* skipChunk(feed, chunk);
    }
  }
}
