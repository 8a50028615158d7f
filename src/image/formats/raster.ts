/** The registry of readers of files that hold pixels. */
import { ByteFeed, type Parsing } from "../bytes/byte-feed.ts";
import { InvalidImageError, UnsupportedMediaError } from "../bytes/errors.ts";
import type { FactsOf, MasterFacts } from "../model/facts.ts";
import { avifReader } from "./avif/reader.ts";
import type { ColourMetadata } from "./colour-metadata.ts";
import { gifReader } from "./gif/reader.ts";
import { jpegReader } from "./jpeg/reader.ts";
import { COLOUR_PROFILE } from "../../limits.ts";
import type { MetadataBlocks } from "./metadata/blocks.ts";
import { pngReader } from "./png/reader.ts";
import type { Postpone } from "./postponed-scan.ts";
import { type RasterReader, SIGNATURE_BYTES } from "./raster-reader.ts";
import type { MasterFormat, RasterFormat } from "./registry.ts";
import { readSvgMetadata } from "./svg/metadata.ts";
import { webpReader } from "./webp/reader.ts";

const READERS: { readonly [F in RasterFormat]: RasterReader<FactsOf<F>> } = {
  jpeg: jpegReader,
  png: pngReader,
  gif: gifReader,
  webp: webpReader,
  avif: avifReader,
};

/** Finds the format of a file by its first SIGNATURE_BYTES; null for an unknown signature. */
export const rasterFormat = (head: Uint8Array): RasterFormat | null =>
  (Object.keys(READERS) as RasterFormat[]).find((format) => READERS[format].isSigned(head)) ?? null;

/** Reads the facts of a file, none of which has been consumed. */
export const readRaster = (feed: ByteFeed, format: RasterFormat, postpone?: Postpone): Parsing<MasterFacts> =>
  READERS[format].read(feed, postpone);

const isRaster = (format: MasterFormat): format is RasterFormat => Object.hasOwn(READERS, format);

/**
 * Reads the colour metadata of a file from its first byte, and returns as soon as no more can follow. Null for a format
 * that does not state a colour space.
 */
export const readColourMetadata = (
  feed: ByteFeed,
  format: MasterFormat,
  maxBytes: number = COLOUR_PROFILE.maxBytes,
): Parsing<ColourMetadata> | null =>
  (isRaster(format) && READERS[format].readColour?.(feed, maxBytes)) || null;

/** Finds the blocks of a file that may state rights, from its first byte. */
export const readMetadata = (feed: ByteFeed, format: MasterFormat, found: MetadataBlocks): Parsing<void> =>
  isRaster(format) ? READERS[format].readMetadata(feed, found) : readSvgMetadata(feed, found);

/** Returns the facts of a raster file that is wholly in memory; null if it is broken or of another kind. */
export function probeRaster(file: Uint8Array): MasterFacts | null {
  const format = rasterFormat(file.subarray(0, SIGNATURE_BYTES));
  if (!format) return null;
  const feed = new ByteFeed();
  feed.give(file);
  feed.end();
  try {
    const parsing = readRaster(feed, format);
    for (;;) {
      const step = parsing.next();
      if (step.done) return step.value;
    }
  } catch (error) {
    if (error instanceof InvalidImageError || error instanceof UnsupportedMediaError) return null;
    throw error;
  }
}
