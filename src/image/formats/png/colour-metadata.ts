/** Reads the chunks that state colours, which come before the pixels: PNG 3rd edition section 11.3.2. */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { type CodePoints, isNamed } from "../../model/code-points.ts";
import type { StatedGamma } from "../../colour/stated-gamma.ts";
import { GAMMA_MAX_BYTES, GammaChunks, isGammaChunk } from "./gamma.ts";
import { nextChunk, skipChunk, soundContentOf } from "./chunk-walk.ts";

const SIGNATURE_BYTES = 8;
const CICP_BYTES = 4;

interface PngColour {
  /** The content of iCCP, still compressed. */
  iccChunk?: Uint8Array;
  codePoints?: CodePoints;
  gamma?: StatedGamma;
}

export function* readPngColour(feed: ByteFeed, maxBytes: number): Parsing<PngColour> {
  const found: PngColour = {};
  const gamma = new GammaChunks();
  yield* feed.skip(SIGNATURE_BYTES, "PNG");
  for (;;) {
    const chunk = yield* nextChunk(feed);
    const { type } = chunk;
    if (type === "IDAT" || type === "IEND") return gamma.stated ? { ...found, gamma: gamma.stated } : found;
    if (type === "iCCP" && !found.iccChunk) {
      const profile = yield* soundContentOf(feed, chunk, maxBytes);
      if (profile !== null) found.iccChunk = profile;
    } else if (type === "cICP") {
      const [primaries = 0, transfer = 0, , range] = (yield* soundContentOf(feed, chunk, CICP_BYTES)) ?? [];
      if (isNamed(primaries, transfer)) {
        found.codePoints ??= { primaries, transfer, fullRange: range !== 0 };
      }
    } else if (isGammaChunk(type)) {
      gamma.take(type, yield* soundContentOf(feed, chunk, GAMMA_MAX_BYTES));
    } else {
      yield* skipChunk(feed, chunk);
    }
  }
}
