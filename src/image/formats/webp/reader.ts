import { startsWith } from "../../bytes/numbers.ts";
import type { WebpFacts } from "../../model/facts.ts";
import type { RasterReader } from "../raster-reader.ts";
import { readWebpColour } from "./colour-metadata.ts";
import { readWebpMetadata } from "./metadata.ts";
import { readWebp } from "./probe.ts";

export const webpReader: RasterReader<WebpFacts> = {
  isSigned: (head) => startsWith(head, "RIFF") && startsWith(head, "WEBP", 8),
  read: readWebp,
  readColour: readWebpColour,
  readMetadata: readWebpMetadata,
};
