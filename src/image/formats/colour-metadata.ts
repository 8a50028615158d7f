/**
 * Reads the colour metadata of a master while the file streams through. Decoders ignore it, and the probe only notes
 * that it exists.
 */
import type { ByteFeed, Parsing } from "../bytes/byte-feed.ts";
import type { CodePoints } from "../model/code-points.ts";
import type { MasterFormat } from "../model/facts.ts";
import { readAvifColour } from "./avif/colour-metadata.ts";
import { readJpegColour } from "./jpeg/colour-metadata.ts";
import type { StatedGamma } from "./png/gamma.ts";
import { readPngColour } from "./png/colour-metadata.ts";
import { readWebpColour } from "./webp/colour-metadata.ts";

export interface ColourMetadata {
  icc?: Uint8Array;
  /** The content of a PNG's iCCP chunk, still compressed. */
  iccChunk?: Uint8Array;
  codePoints?: CodePoints;
  /** The values of a PNG's gAMA and cHRM chunks. */
  gamma?: StatedGamma;
}

/** Reads a file from its first byte, and returns as soon as no more colour metadata can follow. */
export type ColourMetadataReader = (feed: ByteFeed) => Parsing<ColourMetadata>;

/** The reader of each format. GIF and SVG do not state a colour space. */
export const COLOUR_METADATA_READERS: Partial<Record<MasterFormat, ColourMetadataReader>> = {
  jpeg: readJpegColour,
  png: readPngColour,
  webp: readWebpColour,
  avif: readAvifColour,
};
