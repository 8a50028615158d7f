import type { AvifFacts, ColourProfile, FrameNeeds } from "../../model/facts.ts";
import { LEAST_NEEDS } from "./av1/frame-header.ts";
import { sequenceTools } from "./av1/sequence-header.ts";
import type { Extent, ItemTable } from "./items.ts";
import { cropOf, isAlpha, orientationOf, type Properties } from "./properties.ts";
import type { Sequence } from "./sequence.ts";
import { isPlainSrgb } from "../../model/code-points.ts";
import { InvalidImageError, UnsupportedMediaError } from "../../bytes/errors.ts";
import { Reader } from "./isobmff.ts";
import { printable } from "../../bytes/numbers.ts";
import type { Size } from "../../geometry/size.ts";
import { turned } from "../../model/orientation.ts";

/** A few bytes of the file that are needed: where they are, and the bytes once they were read. */
export interface Piece {
  offset: number;
  length: number;
  bytes: Uint8Array | null;
}

/** The facts collected while the file was read. */
export interface AvifParts {
  items: ItemTable | null;
  sequence: Sequence | null;
  /** Whether there is a moov box, even one whose sequence was not read. */
  isSequence: boolean;
  /** The description of the grid. */
  grid: Piece | null;
  /** The first bytes of the picture's data, or of the first tile's. */
  data: Piece | null;
  /** Returns the frames of the coded item that has the most. */
  mostFrames: () => number;
  /** Returns the most that frames of colour and of alpha need. */
  needs: () => Record<"colour" | "alpha", FrameNeeds>;
  /** The length of the file in bytes. */
  fileSize: number;
}

/** A picture, described by an item or by a track. */
interface Picture {
  /** Properties of the whole picture: size, colour, turns. */
  whole: Properties;
  /** Properties of the coded item: the first tile of a grid, else the picture itself. */
  coded: Properties;
  grid: AvifFacts["grid"];
  hasAlpha: boolean;
}

/** The longest description of a grid that is read. Valid ones have 8 or 12 bytes. */
const GRID_PAYLOAD_MAX_BYTES = 64;
/** A temporal delimiter and a sequence header take about 15 bytes, or 25 if the header is not reduced. */
const DATA_HEAD_BYTES = 64;
/** Returns whether a decoder takes the least memory for such frames. */
const isLeast = ({ tileColumns, copiedRows, isEnlarged, hasMatrices }: FrameNeeds): boolean =>
  tileColumns === LEAST_NEEDS.tileColumns && copiedRows === 0 && !isEnlarged && !hasMatrices;

/** Returns the description of the grid, if the primary item is one. It has its bytes already if it is in `idat`. */
export function gridPayload(items: ItemTable): Piece | null {
  const { primary, types, extents } = items;
  if (primary === null || types.get(primary) !== "grid" || extents.get(primary)?.length !== 1) return null;
  const piece = firstPiece(items, primary);
  return piece && piece.length <= GRID_PAYLOAD_MAX_BYTES ? piece : null;
}

/** Returns the first bytes of the coded data of the primary item, or of its first tile. */
export function dataHead(items: ItemTable): Piece | null {
  const { primary, types, parts } = items;
  if (primary === null) return null;
  const coded = types.get(primary) === "grid" ? parts.get(primary)?.[0] : primary;
  const piece = coded === undefined ? null : firstPiece(items, coded);
  const length = Math.min(DATA_HEAD_BYTES, piece?.length ?? 0);
  return piece && { ...piece, length, bytes: piece.bytes?.subarray(0, length) ?? null };
}

/** Returns the first extent of an item; null when its length is not stated. */
function firstPiece({ extents, idat }: ItemTable, item: number): Piece | null {
  const extent = extents.get(item)?.[0];
  if (!extent) return null;
  const { offset } = extent;
  const length = extent.length ?? (extent.in === "idat" ? idat.length - offset : null);
  if (length === null) return null;
  return { offset, length, bytes: extent.in === "idat" ? idat.subarray(offset, offset + length) : null };
}

/** Makes facts of the collected parts. @throws InvalidImageError | UnsupportedMediaError when they contradict */
export function factsOf(parts: AvifParts): AvifFacts {
  checkExtents(parts);
  const { items, sequence } = parts;
  const picture =
    items !== null && items.primary !== null
      ? pictureOf(items, items.primary, parts.grid?.bytes ?? null)
      : trackPicture(sequence);
  const { whole, coded } = picture;
  const size = need(whole.size, "ispe");
  const codec = need(coded.codec, "av1C");
  const channels = whole.channels ?? coded.channels ?? [];
  if (channels.some((bits) => bits !== codec.bitDepth)) {
    throw new InvalidImageError(
      `AVIF says ${channels.join(", ")} bits in pixi and ${codec.bitDepth} in av1C`,
    );
  }
  const crop = cropOf(whole, size);
  const orientation = orientationOf(whole);
  const tools = parts.data?.bytes ? sequenceTools(parts.data.bytes) : null;
  const needs = parts.needs();
  const isPlain = Object.values(needs).every(isLeast);
  const frames = !parts.isSequence ? 1 : (sequence?.frames ?? null);
  return {
    format: "avif",
    ...turned(crop ?? size, orientation),
    codedWidth: size.width,
    codedHeight: size.height,
    orientation,
    frames,
    animated: frames !== 1,
    hasAlpha: picture.hasAlpha || (sequence?.hasAlpha ?? false),
    bitDepth: codec.bitDepth,
    colour: codec.chroma === "400" ? "gray" : "rgb",
    profile: profileOf(whole),
    grid: picture.grid,
    crop,
    chroma: codec.chroma,
    restorable: tools?.restorable ?? false,
    ...(tools && { superblock: tools.superblock }),
    ...(!isPlain && { needs }),
    hasScreenTools: needs.colour.hasScreenTools,
    keptFrames: parts.mostFrames() - 1 + (tools?.hasFilmGrain ? 1 : 0),
  };
}

function pictureOf(items: ItemTable, id: number, payload: Uint8Array | null): Picture {
  const whole = items.properties.get(id) ?? {};
  const type = items.types.get(id);
  const hasAlpha = (item: number): boolean =>
    (items.auxiliaries.get(item) ?? []).some((auxiliary) => isAlpha(items.properties.get(auxiliary) ?? {}));
  if (type !== "grid") {
    checkCodec(type);
    hasData(items, id);
    return { whole, coded: whole, grid: null, hasAlpha: hasAlpha(id) };
  }

  const tiles = items.parts.get(id) ?? [];
  const [first] = tiles;
  if (first === undefined) throw new InvalidImageError("AVIF grid has no tiles");
  for (const tile of tiles) {
    checkCodec(items.types.get(tile));
    hasData(items, tile);
  }
  const sizes = tiles.map((tile) => need(items.properties.get(tile)?.size, "ispe"));
  return {
    whole,
    coded: items.properties.get(first) ?? {},
    grid: gridOf(need(whole.size, "ispe"), sizes, payload),
    // The alpha of a grid is another grid, or each tile has an alpha of its own.
    hasAlpha: hasAlpha(id) || hasAlpha(first),
  };
}

/**
 * Returns the rows and columns of a grid (ISO/IEC 23008-12 section 6.6.2.3). They follow from the sizes alone, because
 * no tile may lie outside the picture. The description must agree if it was read; it is not read if it comes before the
 * tables.
 */
function gridOf(picture: Size, tiles: Size[], payload: Uint8Array | null): NonNullable<AvifFacts["grid"]> {
  const { width, height } = tiles[0]!;
  if (tiles.some((tile) => tile.width !== width || tile.height !== height)) {
    throw new InvalidImageError("AVIF grid has tiles of different sizes");
  }
  const rows = Math.ceil(picture.height / height);
  const columns = Math.ceil(picture.width / width);
  if (rows * columns !== tiles.length) {
    const shape = `${rows} rows of ${columns} tiles`;
    throw new InvalidImageError(`AVIF grid would be ${shape} and has ${tiles.length} tiles`);
  }
  if (payload !== null) {
    const reader = new Reader(payload, "grid");
    reader.skip(1);
    const fieldSize = reader.u8() & 1 ? 4 : 2;
    const stated = [reader.u8() + 1, reader.u8() + 1, reader.uint(fieldSize), reader.uint(fieldSize)];
    if (String(stated) !== String([rows, columns, picture.width, picture.height])) {
      throw new InvalidImageError("AVIF grid is described otherwise than its tiles and size are");
    }
  }
  return { rows, columns, tileWidth: width, tileHeight: height };
}

function trackPicture(sequence: Sequence | null): Picture {
  if (sequence === null) throw new InvalidImageError("AVIF has no primary item and no track of pictures");
  checkCodec(sequence.codec);
  return { whole: sequence.properties, coded: sequence.properties, grid: null, hasAlpha: sequence.hasAlpha };
}

function checkCodec(type: string | undefined): void {
  if (type === "av01") return;
  if (type === undefined) throw new InvalidImageError("AVIF names a picture that is not there");
  if (/^h[ve][vc]\d$/.test(type)) {
    throw new UnsupportedMediaError("HEIC pictures are not accepted: convert them to JPEG or AVIF", "heic");
  }
  throw new UnsupportedMediaError(`the file is HEIF with a picture of type "${printable(type)}", not AVIF`);
}

/** Checks that every extent of every item lies within the file. @throws InvalidImageError */
function checkExtents({ items, sequence, fileSize }: AvifParts): void {
  if ((sequence?.lastChunk ?? 0) > 0 && sequence!.lastChunk >= fileSize) {
    throw new InvalidImageError("AVIF ends before the samples of its track");
  }
  for (const [id, extents] of items?.extents ?? []) {
    const beyond = (extent: Extent): boolean =>
      extent.offset + (extent.length ?? 1) > (extent.in === "file" ? fileSize : items!.idat.length);
    if (extents.some(beyond)) throw new InvalidImageError(`AVIF ends before the data of item ${id}`);
  }
}

function hasData(items: ItemTable, id: number): void {
  if ((items.extents.get(id) ?? []).length === 0) throw new InvalidImageError(`AVIF item ${id} has no data`);
}

function need<T>(property: T | undefined, name: string): T {
  if (property === undefined) throw new InvalidImageError(`AVIF picture has no property ${name}`);
  return property;
}

/** Returns the profile. If a picture has both, the ICC profile takes precedence, as in libavif and libheif. */
function profileOf({ icc, codePoints }: Properties): ColourProfile {
  if (icc) return "icc";
  return codePoints && !isPlainSrgb(codePoints.primaries, codePoints.transfer) ? "cicp" : "none";
}
