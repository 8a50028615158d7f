import type { GifFacts } from "../../model/facts.ts";
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { InvalidImageError, countUpTo } from "../../bytes/errors.ts";
import { Coverage, type Disposal } from "../canvas-coverage.ts";
import { u16le } from "../../bytes/numbers.ts";
import type { Rect, Size } from "../../geometry/size.ts";

const MAX_BLOCKS = 262_144;

export const EXTENSION = 0x21;
export const HAS_TABLE = 0x80;
const INTERLACED = 0x40;
export const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;

/** Disposal methods of a graphic control extension (GIF89a section 23). 4 to 7 are undefined and treated as "keep". */
const DISPOSALS: readonly Disposal[] = ["keep", "keep", "clear", "restore"];

interface Found {
  screen: Size;
  hasGlobalTable: boolean;
  frames: number;
  /** Whether any graphic control extension names a transparent colour. */
  transparentIndex: boolean;
  /** The disposal of the next frame, from the graphic control extension before it. */
  disposal: Disposal;
  /** Whether the first frame is interlaced. */
  interlaced: boolean;
  /** Null before the first frame, which may make the canvas larger than the screen. */
  coverage: Coverage | null;
}

/**
 * Reads a GIF (GIF87a, GIF89a) up to its trailer and counts its frames. Frames that extend beyond the logical screen
 * count like others, because browsers show them. After the first frame, the picture also ends with the file, and at a
 * byte that begins no block, as in browsers. Bytes after the trailer are ignored.
 * @throws InvalidImageError
 */
export function* readGif(feed: ByteFeed): Parsing<GifFacts> {
  const count = countUpTo(MAX_BLOCKS, "GIF blocks");
  const head = yield* feed.take(13, "GIF logical screen descriptor");
  yield* skipColourTable(feed, head[10]!, "GIF global colour table");

  const screen = { width: u16le(head, 6), height: u16le(head, 8) };
  const hasGlobalTable = (head[10]! & HAS_TABLE) !== 0;
  const found: Found = {
    screen,
    hasGlobalTable,
    frames: 0,
    transparentIndex: false,
    disposal: "keep",
    interlaced: false,
    coverage: null,
  };
  while (found.frames === 0 || (yield* feed.hasMore())) {
    count();
    const introducer = yield* feed.byte("GIF, before its trailer");
    if (introducer === IMAGE) yield* readImage(feed, found);
    else if (introducer === EXTENSION) yield* readExtension(feed, found);
    else if (introducer === TRAILER || found.frames > 0) break;
    else throw new InvalidImageError(`GIF has no block at byte ${feed.position - 1}`);
  }
  const { coverage, screen: size } = found;
  if (coverage === null) throw new InvalidImageError("GIF has no image");
  return {
    format: "gif",
    ...size,
    codedWidth: size.width,
    codedHeight: size.height,
    orientation: 1,
    frames: found.frames,
    animated: found.frames > 1,
    hasAlpha: found.transparentIndex || coverage.transparent,
    bitDepth: 8,
    colour: "palette",
    profile: "none",
    interlaced: found.interlaced,
  };
}

/** Reads an image descriptor, its colour table and its data: GIF89a sections 20 to 22. */
function* readImage(feed: ByteFeed, found: Found): Parsing<void> {
  const where = `GIF frame ${found.frames + 1}`;
  const head = yield* feed.take(9, where);
  const rect = { left: u16le(head, 0), top: u16le(head, 2), width: u16le(head, 4), height: u16le(head, 6) };
  // Browsers do not agree on its colours: Chromium shows black, Firefox white.
  if (!found.hasGlobalTable && (head[8]! & HAS_TABLE) === 0) {
    throw new InvalidImageError(`${where} has no colour table`);
  }
  yield* skipColourTable(feed, head[8]!, where);
  const codeSize = yield* feed.byte(where);
  // The first LZW codes have one bit more than this; codes grow to 12 bits (GIF89a appendix F).
  if (codeSize < 1 || codeSize > 11)
    throw new InvalidImageError(`${where} has LZW codes of ${codeSize} bits`);
  yield* skipSubBlocks(feed, where);
  if (found.coverage === null) {
    found.screen = canvasOf(found.screen, rect);
    found.interlaced = (head[8]! & INTERLACED) !== 0;
    found.coverage = new Coverage(found.screen);
  }
  found.coverage.draw(rect, found.disposal);
  found.disposal = "keep";
  found.frames += 1;
}

/**
 * Returns the size that browsers show: that of the screen, made larger where the first frame extends beyond it. Some
 * programs write a screen of 0×0.
 */
function canvasOf(screen: Size, first: Rect): Size {
  const size = {
    width: Math.max(screen.width, first.left + first.width),
    height: Math.max(screen.height, first.top + first.height),
  };
  if (size.width === 0 || size.height === 0) {
    throw new InvalidImageError(`GIF of ${size.width}×${size.height} pixels`);
  }
  return size;
}

function* readExtension(feed: ByteFeed, found: Found): Parsing<void> {
  const where = "GIF extension";
  if ((yield* feed.byte(where)) === GRAPHIC_CONTROL) {
    const size = yield* feed.byte(where);
    if (size !== 4) throw new InvalidImageError(`GIF graphic control extension has ${size} bytes, not 4`);
    const flags = (yield* feed.take(size, where))[0]!;
    if (flags & 1) found.transparentIndex = true;
    found.disposal = DISPOSALS[(flags >> 2) & 7] ?? "keep";
  }
  yield* skipSubBlocks(feed, where);
}

/** @param flags packed fields: bit 7 says whether there is a table, bits 0 to 2 give its size */
function* skipColourTable(feed: ByteFeed, flags: number, where: string): Parsing<void> {
  if (flags & HAS_TABLE) yield* feed.skip(3 << ((flags & 7) + 1), where);
}

/** Skips data sub-blocks, each a length and that many bytes, and the empty one that ends them (section 15). */
function* skipSubBlocks(feed: ByteFeed, where: string): Parsing<void> {
  for (;;) {
    const bytes = yield* feed.window(where);
    let at = 0;
    while (at < bytes.length && bytes[at] !== 0) at += 1 + bytes[at]!;
    feed.drop(Math.min(at + 1, bytes.length));
    if (at < bytes.length) return;
    yield* feed.skip(at - bytes.length, where);
  }
}
