import { startsWith } from "../../bytes/numbers.ts";
import type { AvifFacts } from "../../model/facts.ts";
import type { RasterReader } from "../raster-reader.ts";
import { readAvifColour } from "./colour-metadata.ts";
import { readAvifMetadata } from "./metadata.ts";
import { readAvif } from "./probe.ts";

export const avifReader: RasterReader<AvifFacts> = {
  // Every file that begins with an `ftyp` box. The probe reads its brands, and refuses those of other formats.
  isSigned: (head) => startsWith(head, "ftyp", 4),
  read: readAvif,
  readColour: readAvifColour,
  readMetadata: readAvifMetadata,
};
