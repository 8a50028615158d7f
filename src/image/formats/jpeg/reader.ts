import { startsWith } from "../../bytes/numbers.ts";
import type { JpegFacts } from "../../model/facts.ts";
import type { RasterReader } from "../raster-reader.ts";
import { readJpegColour } from "./colour-metadata.ts";
import { readJpegMetadata } from "./metadata.ts";
import { readJpeg } from "./probe.ts";

export const jpegReader: RasterReader<JpegFacts> = {
  isSigned: (head) => startsWith(head, "\xff\xd8\xff"),
  read: readJpeg,
  readColour: readJpegColour,
  readMetadata: readJpegMetadata,
};
