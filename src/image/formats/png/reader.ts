import { startsWith } from "../../bytes/numbers.ts";
import type { PngFacts } from "../../model/facts.ts";
import type { RasterReader } from "../raster-reader.ts";
import { readPngColour } from "./colour-metadata.ts";
import { readPngMetadata } from "./metadata.ts";
import { readPng } from "./probe.ts";

export const pngReader: RasterReader<PngFacts> = {
  // Only the first half of the signature: the other half detects damage in transfer, which the probe reports.
  isSigned: (head) => startsWith(head, "\x89PNG"),
  read: readPng,
  readColour: readPngColour,
  readMetadata: readPngMetadata,
};
