import type { AvifFacts } from "../../model/facts.ts";
import { dataHead, factsOf, gridPayload, type AvifParts, type Piece } from "./facts.ts";
import { readItems } from "./items.ts";
import { LEAST_NEEDS } from "./av1/frame-header.ts";
import { walkItems } from "./coded-items.ts";
import { readSequence } from "./sequence.ts";
import { type Tap, Taps } from "./taps.ts";
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
 * in memory, so an extent that lies beyond the end of the file is detected at the end. The data of the coded items are
 * walked as they stream past: an item with more than one shown frame is refused.
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
    mostFrames: () => 1,
    needs: () => ({ colour: LEAST_NEEDS, alpha: LEAST_NEEDS }),
    fileSize: 0,
  };
  const mayBeSequence = brands.includes("avis") || brands.includes("msf1");
  const taps = new Taps();
  // As libavif, which browsers use: once the tables are there, no box after them is read, whatever it is.
  while ((parts.items === null || (mayBeSequence && !parts.isSequence)) && (yield* feed.hasMore())) {
    count();
    const box = yield* nextBox(feed);
    if (box.type === "meta" && parts.items === null) {
      parts.items = readItems(yield* contentOf(feed, box));
      parts.grid = gridPayload(parts.items);
      parts.data = dataHead(parts.items);
      const pieces = [parts.grid, parts.data]
        .filter((piece) => piece?.bytes === null)
        .map((piece) => keep(piece!));
      const walks = walkItems(parts.items);
      parts.mostFrames = walks.mostFrames;
      parts.needs = walks.needs;
      taps.set([...pieces, ...walks.taps], feed.position);
    } else if (box.type === "moov" && mayBeSequence) {
      parts.isSequence = true;
      if (box.size === null || box.size > META_MAX_BYTES) yield* skipBox(feed, box, taps);
      else parts.sequence = readSequence(yield* contentOf(feed, box));
    } else {
      yield* skipBox(feed, box, taps);
    }
  }
  yield* taps.pass(feed, Infinity, "AVIF");
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

const skipBox = (feed: ByteFeed, { type, size }: BoxHead, taps: Taps): Parsing<void> =>
  taps.pass(feed, size === null ? Infinity : feed.position + size, `AVIF box ${type}`);

/** Returns a tap that fills a piece. */
function keep(piece: Piece): Tap {
  const kept = new Uint8Array(piece.length);
  let at = 0;
  return {
    offset: piece.offset,
    end: piece.offset + piece.length,
    take(bytes) {
      kept.set(bytes, at);
      at += bytes.length;
      if (at === kept.length) piece.bytes = kept;
    },
  };
}
