/**
 * The colour metadata of a master, read as the file passes by. The decoders ignore it, and the probe has only noted
 * that it is there.
 */
import type { ByteFeed, Parsing } from "../bytes/byte-feed.ts";
import type { CodePoints } from "../model/code-points.ts";
import type { MasterFormat } from "../model/facts.ts";
import { readAvifColour } from "./avif/colour-metadata.ts";
import { readJpegColour } from "./jpeg/colour-metadata.ts";
import { readPngColour } from "./png/colour-metadata.ts";
import { readWebpColour } from "./webp/colour-metadata.ts";

export interface ColourMetadata {
  icc?: Uint8Array;
  /** The content of a PNG's iCCP chunk, which is still to be inflated. */
  iccChunk?: Uint8Array;
  codePoints?: CodePoints;
}

/** Reads a file from its first byte on, and ends as soon as no more colour metadata can come. */
export type ColourMetadataReader = (feed: ByteFeed) => Parsing<ColourMetadata>;

/** By format. GIF and SVG state no colours. */
export const COLOUR_METADATA_READERS: Partial<Record<MasterFormat, ColourMetadataReader>> = {
  jpeg: readJpegColour,
  png: readPngColour,
  webp: readWebpColour,
  avif: readAvifColour,
};
