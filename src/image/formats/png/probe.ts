import type { ColourProfile, Orientation, PngFacts } from "../../model/facts.ts";
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { isNamed, isPlainSrgb } from "../../model/code-points.ts";
import { InvalidImageError, countUpTo } from "../../bytes/errors.ts";
import { EXIF_MAX_BYTES, orientationOf } from "../exif.ts";
import { startsWith } from "../../bytes/numbers.ts";
import { PngAnimation } from "./animation.ts";
import { type Chunk, contentOf, nextChunk, skipChunk, soundContentOf } from "./chunk-walk.ts";
import { GAMMA_MAX_BYTES, GammaChunks } from "./gamma.ts";
import { colourOf, readHeader, type PngHeader } from "./header.ts";
import { isUsableTransparency, TRANSPARENCY_MAX_BYTES } from "./transparency.ts";
import { turned } from "../../model/orientation.ts";

const MAX_CHUNKS = 262_144;
const ACTL_BYTES = 8;
const CICP_BYTES = 4;
const SIGNATURE = "\x89PNG\r\n\x1a\n";

/** The facts known so far from the chunks after IHDR. */
interface Found {
  paletteEntries: number;
  transparency: boolean;
  orientation: Orientation | null;
  icc: boolean;
  gamma: GammaChunks;
  /** Whether cICP states sRGB; null without a cICP chunk that names a colour space. */
  codePoints: "srgb" | "other" | null;
  /** Bytes in IDAT chunks. */
  data: number;
  /** Whether the next chunk comes before, among or after the IDAT chunks, which must be consecutive. */
  stage: "before" | "data" | "after";
  animation: PngAnimation;
}

/**
 * Reads a PNG (3rd edition, section 5) up to IEND, or up to the end of a file that lacks IEND. It verifies the check
 * sums of the chunks whose content it uses, and ignores ancillary chunks that are damaged, as browsers do. The decoder
 * verifies IDAT, whose deflate stream has a check sum of its own. Bytes after IEND are ignored.
 * @throws InvalidImageError
 */
export function* readPng(feed: ByteFeed): Parsing<PngFacts> {
  const count = countUpTo(MAX_CHUNKS, "PNG chunks");
  if (!startsWith(yield* feed.take(8, "PNG signature"), SIGNATURE)) {
    throw new InvalidImageError("PNG signature is damaged: the file was changed in transfer as text");
  }
  const first = yield* nextChunk(feed);
  if (first.type !== "IHDR") throw new InvalidImageError(`PNG begins with chunk ${first.type}, not IHDR`);
  const header = readHeader(yield* contentOf(feed, first));
  const found: Found = {
    paletteEntries: 0,
    transparency: false,
    orientation: null,
    icc: false,
    gamma: new GammaChunks(),
    codePoints: null,
    data: 0,
    stage: "before",
    animation: new PngAnimation(header),
  };
  while (found.data === 0 || (yield* feed.hasMore())) {
    count();
    const chunk = yield* nextChunk(feed);
    if (chunk.type === "IEND") break;
    yield* readChunk(feed, chunk, header, found);
  }
  return factsOf(header, found);
}

function* readChunk(feed: ByteFeed, chunk: Chunk, header: PngHeader, found: Found): Parsing<void> {
  const { animation } = found;
  const beforeData = found.stage === "before";
  if (chunk.type === "IDAT") return yield* passData(feed, chunk, header, found);
  if (found.stage === "data") found.stage = "after";

  switch (chunk.type) {
    case "IHDR":
      throw new InvalidImageError("PNG has two IHDR chunks");
    case "PLTE":
      if (!beforeData) throw new InvalidImageError("PNG has chunk PLTE after IDAT");
      if (found.paletteEntries > 0) throw new InvalidImageError("PNG has two PLTE chunks");
      found.paletteEntries = (yield* contentOf(feed, chunk)).length / 3;
      if (!Number.isInteger(found.paletteEntries) || found.paletteEntries === 0) {
        throw new InvalidImageError(`PNG chunk PLTE has ${chunk.size} bytes`);
      }
      return;
    case "tRNS": {
      const body = yield* soundContentOf(feed, chunk, TRANSPARENCY_MAX_BYTES);
      const fits = isUsableTransparency(header.colourType, chunk.size, found.paletteEntries);
      if (body !== null && beforeData && fits) found.transparency = true;
      return;
    }
    case "acTL": {
      const body = yield* soundContentOf(feed, chunk, ACTL_BYTES);
      // After the first IDAT it is ignored, because a decoder has begun to show a still (section 11.3.6.1).
      if (body?.length === ACTL_BYTES && beforeData) animation.begin(body);
      return;
    }
    case "fcTL":
      if (animation.present) animation.frame(yield* contentOf(feed, chunk), beforeData);
      else yield* skipChunk(feed, chunk);
      return;
    case "fdAT":
      if (animation.present) {
        if (beforeData || chunk.size < 4) throw new InvalidImageError("APNG chunk fdAT out of place");
        animation.frameData(yield* feed.take(4, "PNG chunk fdAT"));
        yield* feed.skip(chunk.size, "PNG chunk fdAT");
      } else yield* skipChunk(feed, chunk);
      return;
    case "gAMA":
    case "cHRM":
    case "sRGB": {
      const body = yield* soundContentOf(feed, chunk, GAMMA_MAX_BYTES);
      if (beforeData) found.gamma.take(chunk.type, body);
      return;
    }
    case "iCCP":
      found.icc = true;
      return yield* skipChunk(feed, chunk);
    case "cICP": {
      const body = yield* soundContentOf(feed, chunk, CICP_BYTES);
      if (body?.length !== CICP_BYTES || !isNamed(body[0]!, body[1]!)) return;
      const fullRange = body[3] === 1;
      found.codePoints ??= isPlainSrgb(body[0]!, body[1]!) && fullRange ? "srgb" : "other";
      return;
    }
    case "eXIf": {
      // Browsers and libvips ignore it after the data, because they have begun to draw (section 11.3.4.5).
      if (!beforeData || found.orientation !== null) return yield* skipChunk(feed, chunk);
      const exif = yield* soundContentOf(feed, chunk, EXIF_MAX_BYTES);
      found.orientation = exif === null ? 1 : orientationOf(exif);
      return;
    }
    default:
      // The fifth bit of the first letter is 0 in critical chunks, which a reader must understand (section 5.4).
      if ((chunk.head[4]! & 32) === 0)
        throw new InvalidImageError(`PNG has unknown critical chunk ${chunk.type}`);
      return yield* skipChunk(feed, chunk);
  }
}

function* passData(feed: ByteFeed, chunk: Chunk, header: PngHeader, found: Found): Parsing<void> {
  if (found.stage === "after") throw new InvalidImageError("PNG has other chunks between its IDAT chunks");
  if (found.stage === "before") {
    if (header.colourType === 3 && found.paletteEntries === 0) {
      throw new InvalidImageError("PNG has a palette's colour type and no PLTE before IDAT");
    }
    found.stage = "data";
    found.animation.imageData();
  }
  found.data += chunk.size;
  yield* skipChunk(feed, chunk);
}

function factsOf(header: PngHeader, found: Found): PngFacts {
  if (found.data === 0) throw new InvalidImageError("PNG has no image data (IDAT)");
  found.animation.finish();
  const orientation = found.orientation ?? 1;
  const { frames } = found.animation;
  return {
    format: "png",
    ...turned(header, orientation),
    codedWidth: header.width,
    codedHeight: header.height,
    orientation,
    frames,
    animated: frames > 1,
    hasAlpha: header.colourType >= 4 || found.transparency || found.animation.transparent,
    bitDepth: header.bitDepth,
    colour: colourOf(header.colourType),
    profile: profileOf(found),
    interlaced: header.interlaced,
    colourType: header.colourType,
    ...(found.animation.hidesDefault && { hidesDefault: true }),
  };
}

/**
 * Returns the profile. A cICP that names a colour space takes precedence over iCCP, and that over all others (section
 * 4.3).
 */
function profileOf({ codePoints, icc, gamma }: Found): ColourProfile {
  if (codePoints !== null) return codePoints === "other" ? "cicp" : "none";
  if (icc) return "icc";
  return gamma.stated === null ? "none" : "gamma";
}
