import type { ColourProfile, Orientation, PngFacts } from "../../model/facts.ts";
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { isPlainSrgb } from "../../model/code-points.ts";
import { InvalidImageError, countUpTo } from "../../bytes/errors.ts";
import { EXIF_MAX_BYTES, orientationOf } from "../exif.ts";
import { startsWith } from "../../bytes/numbers.ts";
import { PngAnimation } from "./animation.ts";
import { type Chunk, contentOf, nextChunk, skipChunk } from "./chunk-walk.ts";
import { colourOf, readHeader, type PngHeader } from "./header.ts";
import { turned } from "../../model/orientation.ts";

const MAX_CHUNKS = 262_144;
const SIGNATURE = "\x89PNG\r\n\x1a\n";

/** What is known so far from the chunks after IHDR. */
interface Found {
  paletteEntries: number;
  transparency: boolean;
  orientation: Orientation | null;
  icc: boolean;
  /** Whether cICP states sRGB; null without a cICP chunk. */
  codePoints: "srgb" | "other" | null;
  /** Bytes in IDAT chunks. */
  data: number;
  /** Whether the next chunk comes before, among or after the IDAT chunks, which must be consecutive. */
  stage: "before" | "data" | "after";
  animation: PngAnimation;
}

/**
 * Reads a PNG (3rd edition, section 5) up to IEND. It verifies the check sums of the chunks whose content it uses. The
 * decoder verifies IDAT, whose deflate stream has a check sum of its own. Bytes after IEND are ignored.
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
    codePoints: null,
    data: 0,
    stage: "before",
    animation: new PngAnimation(header),
  };
  for (;;) {
    count();
    const chunk = yield* nextChunk(feed);
    if (chunk.type === "IEND") {
      yield* contentOf(feed, chunk);
      return factsOf(header, found);
    }
    yield* readChunk(feed, chunk, header, found);
  }
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
    case "tRNS":
      checkTransparency(chunk, header, found);
      yield* contentOf(feed, chunk);
      // Decoders ignore the chunk if every pixel has its own alpha.
      if (header.colourType < 4) found.transparency = true;
      return;
    case "acTL":
      // After the first IDAT it is ignored, because a decoder has begun to show a still (section 11.3.6.1).
      if (beforeData) animation.begin(yield* contentOf(feed, chunk));
      else yield* skipChunk(feed, chunk);
      return;
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
    case "iCCP":
      found.icc = true;
      return yield* skipChunk(feed, chunk);
    case "cICP": {
      const body = yield* contentOf(feed, chunk);
      if (body.length !== 4) throw new InvalidImageError("PNG chunk cICP has a wrong length");
      const fullRange = body[3] === 1;
      found.codePoints = isPlainSrgb(body[0]!, body[1]!) && fullRange ? "srgb" : "other";
      return;
    }
    case "eXIf": {
      // Browsers and libvips ignore it after the data, because they have begun to draw (section 11.3.4.5).
      if (!beforeData) return yield* skipChunk(feed, chunk);
      const exif = yield* feed.take(Math.min(chunk.size, EXIF_MAX_BYTES), "PNG chunk eXIf");
      found.orientation ??= orientationOf(exif);
      return yield* feed.skip(chunk.size - exif.length + 4, "PNG chunk eXIf");
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

/** Checks the length of tRNS, which has one alpha value per palette entry, or one colour (section 11.3.1.1). */
function checkTransparency(chunk: Chunk, header: PngHeader, found: Found): void {
  if (found.stage !== "before") throw new InvalidImageError("PNG has chunk tRNS after IDAT");
  const { colourType } = header;
  const fits =
    colourType === 3
      ? chunk.size >= 1 && chunk.size <= found.paletteEntries
      : colourType === 0
        ? chunk.size === 2
        : colourType === 2
          ? chunk.size === 6
          : true;
  if (!fits) throw new InvalidImageError(`PNG chunk tRNS has ${chunk.size} bytes, or stands before PLTE`);
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
  };
}

/** cICP takes precedence over iCCP (section 4.3). */
function profileOf({ codePoints, icc }: Found): ColourProfile {
  if (codePoints === "other") return "cicp";
  return icc && codePoints === null ? "icc" : "none";
}
