/** Finds out the format of a file by its first bytes, and has the reader of that format. */
import type { ByteFeed, Parsing } from "../bytes/byte-feed.ts";
import { InvalidImageError, UnsupportedMediaError } from "../bytes/errors.ts";
import { startsWith } from "../bytes/numbers.ts";
import type { FactsOf } from "../model/facts.ts";
import { type DrawingReader, PROLOG_MAX_BYTES } from "./drawing-reader.ts";
import { rasterFormat } from "./raster.ts";
import { SIGNATURE_BYTES } from "./raster-reader.ts";
import { FORMATS, MASTER_FORMATS, type RasterFormat, type VectorFormat } from "./registry.ts";
import { svgReader } from "./svg/reader.ts";

const DRAWING_READERS: { readonly [F in VectorFormat]: DrawingReader<FactsOf<F>> } = { svg: svgReader };

export type Sniffed =
  | { kind: "raster"; format: RasterFormat }
  /** `head` holds the bytes that were consumed from the feed. */
  | { kind: "drawing"; format: VectorFormat; reader: DrawingReader<FactsOf<VectorFormat>>; head: Uint8Array };

/**
 * Finds out the format of a file by its first bytes. The bytes of a raster are not consumed.
 * @throws UnsupportedMediaError when the format is not one that is stored
 * @throws InvalidImageError when the file is empty
 */
export function* sniff(feed: ByteFeed): Parsing<Sniffed> {
  const start = yield* feed.peek(SIGNATURE_BYTES);
  if (start.length === 0) throw new InvalidImageError("the file is empty");
  const raster = rasterFormat(start);
  if (raster) return { kind: "raster", format: raster };
  // The upload has inflated an svgz already, so anything else that is compressed is refused.
  if (startsWith(start, "\x1f\x8b")) {
    throw new UnsupportedMediaError("the file is compressed with gzip, and not an SVG drawing");
  }
  const head = yield* feed.takeUpTo(PROLOG_MAX_BYTES);
  for (const format of Object.keys(DRAWING_READERS) as VectorFormat[]) {
    const reader = DRAWING_READERS[format];
    if (reader.isDrawing(head)) return { kind: "drawing", format, reader, head };
  }
  const titles = MASTER_FORMATS.map((format) => FORMATS[format].title);
  throw new UnsupportedMediaError(
    `the file is not a ${titles.join(", ").replace(/, ([^,]*)$/, " or $1")} image`,
  );
}
