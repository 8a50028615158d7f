import type { AvifFacts } from "../../model/facts.ts";
import { dataHead, factsOf, gridPayload, type AvifParts, type Piece } from "./facts.ts";
import { readItems } from "./items.ts";
import { readSequence } from "./sequence.ts";
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { InvalidImageError, countUpTo, UnsupportedMediaError } from "../../bytes/errors.ts";
import { latin1, printable } from "../../bytes/numbers.ts";
import { type BoxHead, contentOf, META_MAX_BYTES, nextBox } from "./box-walk.ts";

const MAX_BOXES = 65536;
const BRANDS_MAX_BYTES = 4096;

const AVIF_BRANDS = ["avif", "avis"];
const HEIC_BRANDS = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"];
/** HEIF brands that do not determine the codec. */
const OPEN_BRANDS = ["mif1", "msf1", "mif2", "miaf"];

/**
 * Reads an AVIF (AV1 Image File Format; HEIF, ISO/IEC 23008-12) to the end of the file. Only the item tables are kept
 * in memory, so an extent that lies beyond the end of the file is detected at the end.
 * @throws InvalidImageError
 * @throws UnsupportedMediaError for other formats of the family, such as HEIC and MP4
 */
export function* readAvif(feed: ByteFeed): Parsing<AvifFacts> {
  const count = countUpTo(MAX_BOXES, "AVIF boxes");
  const brands = yield* readBrands(feed);
  const parts: AvifParts = {
    items: null,
    sequence: null,
    isSequence: false,
    grid: null,
    data: null,
    fileSize: 0,
  };
  const mayBeSequence = brands.includes("avis") || brands.includes("msf1");
  while (yield* feed.hasMore()) {
    count();
    const box = yield* nextBox(feed);
    if (box.type === "meta") {
      if (parts.items !== null) throw new InvalidImageError("AVIF has two meta boxes");
      parts.items = readItems(yield* contentOf(feed, box));
      parts.grid = gridPayload(parts.items);
      parts.data = dataHead(parts.items);
    } else if (box.type === "moov" && mayBeSequence) {
      parts.isSequence = true;
      if (box.size === null || box.size > META_MAX_BYTES) yield* skipBox(feed, box, parts);
      else parts.sequence = readSequence(yield* contentOf(feed, box));
    } else {
      yield* skipBox(feed, box, parts);
    }
  }
  parts.fileSize = feed.position;
  return factsOf(parts);
}

/** Reads the ftyp box. @returns the major brand and the compatible ones */
function* readBrands(feed: ByteFeed): Parsing<string[]> {
  const { size } = yield* nextBox(feed);
  if (size === null || size < 8 || size > BRANDS_MAX_BYTES || size % 4 !== 0) {
    throw new InvalidImageError(`ISO media box ftyp has ${size ?? "all"} bytes`);
  }
  const codes = latin1(yield* feed.take(size, "ISO media box ftyp"));
  const major = codes.slice(0, 4);
  // The four bytes after the major brand are its version.
  const brands = [major, ...(codes.slice(8).match(/[^]{4}/g) ?? [])];
  const has = (known: string[]): boolean => known.some((brand) => brands.includes(brand));
  if (has(AVIF_BRANDS)) return brands;
  if (has(HEIC_BRANDS)) {
    throw new UnsupportedMediaError("HEIC pictures are not accepted: convert them to JPEG or AVIF", "heic");
  }
  if (has(OPEN_BRANDS)) return brands;
  throw new UnsupportedMediaError(`the file is ISO media of brand "${printable(major)}", not an AVIF image`);
}

/** Skips a box. The needed pieces, a few bytes each somewhere in an `mdat` box, are read on the way. */
function* skipBox(feed: ByteFeed, { type, size }: BoxHead, { grid, data }: AvifParts): Parsing<void> {
  const where = `AVIF box ${type}`;
  const end = size === null ? Infinity : feed.position + size;
  const wanted = [grid, data].filter((piece) => piece?.bytes === null).sort((a, b) => a!.offset - b!.offset);
  for (const piece of wanted as Piece[]) {
    if (piece.offset < feed.position || piece.offset + piece.length > end) continue;
    yield* feed.skip(piece.offset - feed.position, where);
    piece.bytes = yield* feed.take(piece.length, where);
  }
  if (end === Infinity) yield* feed.skipToEnd();
  else yield* feed.skip(end - feed.position, where);
}
