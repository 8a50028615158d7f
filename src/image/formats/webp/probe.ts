import type { WebpFacts } from "../../model/facts.ts";
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { InvalidImageError, countUpTo } from "../../bytes/errors.ts";
import { Coverage } from "../canvas-coverage.ts";
import { u24le, u32le } from "../../bytes/numbers.ts";
import { type Chunk, hasNextChunk, nextChunk, skipRest } from "./chunk-walk.ts";
import { HEADER_SIZE, isBitstream, readBitstream, type Bitstream } from "./bitstream.ts";
import type { Size } from "../../geometry/size.ts";

const MAX_CHUNKS = 262_144;

/** The content of a VP8X chunk: RFC 9649 section 2.7. */
interface Canvas extends Size {
  animated: boolean;
  alpha: boolean;
  icc: boolean;
}

interface Found {
  /** Null for the simple file format, which has one picture and no metadata. */
  canvas: Canvas | null;
  /** The picture of a still. */
  picture: Bitstream | null;
  hasAlpha: boolean;
  /** Whether every picture so far is lossless. */
  lossless: boolean;
  animation: boolean;
  frames: number;
  coverage: Coverage | null;
  icc: boolean;
}

/**
 * Reads a WebP (RFC 9649): a still up to the end of its picture, an animation up to the end of its RIFF chunk. Bytes
 * after that are ignored. Of metadata, only what the flags of VP8X announce counts, as in browsers. Browsers ignore
 * EXIF in a WebP, and so its orientation.
 * @throws InvalidImageError
 */
export function* readWebp(feed: ByteFeed): Parsing<WebpFacts> {
  const count = countUpTo(MAX_CHUNKS, "WebP chunks");
  const end = 8 + u32le(yield* feed.take(12, "WebP header"), 4);
  const found: Found = {
    canvas: null,
    picture: null,
    hasAlpha: false,
    lossless: true,
    animation: false,
    frames: 0,
    coverage: null,
    icc: false,
  };
  for (let first = true; found.picture === null && (yield* hasNextChunk(feed, end)); first = false) {
    count();
    const chunk = yield* nextChunk(feed, end);
    if (first && chunk.type === "VP8X") found.canvas = yield* readCanvas(feed, chunk);
    else if (first && !isBitstream(chunk.type)) {
      throw new InvalidImageError(`WebP begins with chunk ${chunk.type}, not VP8, VP8L or VP8X`);
    } else yield* readChunk(feed, chunk, found, count);
    if (found.canvas !== null) found.coverage ??= new Coverage(found.canvas);
    yield* skipRest(feed, chunk, end);
  }
  return factsOf(found);
}

function* readChunk(feed: ByteFeed, chunk: Chunk, found: Found, count: () => void): Parsing<void> {
  if (isBitstream(chunk.type)) {
    found.picture = yield* readPicture(feed, chunk, found);
    return;
  }
  if (found.canvas === null) return;
  switch (chunk.type) {
    case "ANIM":
      if (chunk.size < 6) throw new InvalidImageError("WebP chunk ANIM is too short");
      found.animation = true;
      return;
    case "ANMF":
      return yield* readFrame(feed, chunk, found, found.canvas, count);
    case "ICCP":
      found.icc = found.canvas.icc;
  }
}

/** Reads an animation frame: RFC 9649 section 2.7.1.1. It contains chunks itself, one of which is a picture. */
function* readFrame(
  feed: ByteFeed,
  chunk: Chunk,
  found: Found,
  canvas: Canvas,
  count: () => void,
): Parsing<void> {
  found.frames += 1;
  const where = `WebP frame ${found.frames}`;
  if (!canvas.animated || !found.animation) {
    throw new InvalidImageError(`${where} stands in a file that does not say it is an animation`);
  }
  if (chunk.size < 16) throw new InvalidImageError(`${where} is too short`);
  const head = yield* feed.take(16, where);
  const rect = {
    left: u24le(head, 0) * 2,
    top: u24le(head, 3) * 2,
    width: u24le(head, 6) + 1,
    height: u24le(head, 9) + 1,
  };
  if (rect.left + rect.width > canvas.width || rect.top + rect.height > canvas.height) {
    throw new InvalidImageError(`${where} reaches out of the canvas`);
  }
  found.coverage?.draw(rect, head[15]! & 1 ? "clear" : "keep");

  let picture: Bitstream | null = null;
  while (feed.position < chunk.end) {
    count();
    const part = yield* nextChunk(feed, chunk.end);
    if (part.type === "ALPH") found.hasAlpha = true;
    if (isBitstream(part.type)) {
      if (picture !== null) throw new InvalidImageError(`${where} has two pictures`);
      picture = yield* readPicture(feed, part, found);
    }
    yield* skipRest(feed, part, chunk.end);
  }
  if (picture === null) throw new InvalidImageError(`${where} has no picture`);
  sameSize(picture, rect, where);
}

function* readPicture(feed: ByteFeed, chunk: Chunk, found: Found): Parsing<Bitstream> {
  const type = chunk.type as keyof typeof HEADER_SIZE;
  const size = HEADER_SIZE[type];
  if (chunk.size < size) throw new InvalidImageError(`WebP chunk ${type} is too short`);
  const picture = readBitstream(type, yield* feed.take(size, `WebP chunk ${type}`), chunk.size);
  if (picture.hasAlpha) found.hasAlpha = true;
  if (!picture.lossless) found.lossless = false;
  return picture;
}

function* readCanvas(feed: ByteFeed, chunk: Chunk): Parsing<Canvas> {
  if (chunk.size < 10) throw new InvalidImageError("WebP chunk VP8X is too short");
  const head = yield* feed.take(10, "WebP chunk VP8X");
  return {
    animated: (head[0]! & 0x02) !== 0,
    alpha: (head[0]! & 0x10) !== 0,
    icc: (head[0]! & 0x20) !== 0,
    width: u24le(head, 4) + 1,
    height: u24le(head, 7) + 1,
  };
}

function sameSize(picture: Size, expected: Size, where: string): void {
  if (picture.width === expected.width && picture.height === expected.height) return;
  const says = `${expected.width}×${expected.height}`;
  throw new InvalidImageError(`${where} says ${says}, its picture is ${picture.width}×${picture.height}`);
}

function factsOf(found: Found): WebpFacts {
  const { canvas, picture } = found;
  const isAnimation = canvas?.animated ?? false;
  if (isAnimation ? found.frames === 0 : picture === null) throw new InvalidImageError("WebP has no picture");
  if (isAnimation && picture !== null)
    throw new InvalidImageError("WebP animation has a picture beside its frames");
  if (canvas !== null && picture !== null) sameSize(picture, canvas, "WebP canvas");
  const size = (canvas ?? picture)!;
  const frames = isAnimation ? found.frames : 1;
  return {
    format: "webp",
    width: size.width,
    height: size.height,
    codedWidth: size.width,
    codedHeight: size.height,
    orientation: 1,
    frames,
    animated: frames > 1,
    hasAlpha: found.hasAlpha || (canvas?.alpha ?? false) || (isAnimation && found.coverage!.transparent),
    bitDepth: 8,
    colour: "rgb",
    profile: found.icc ? "icc" : "none",
    lossless: found.lossless,
  };
}
