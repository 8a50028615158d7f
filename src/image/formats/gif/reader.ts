import { startsWith } from "../../bytes/numbers.ts";
import type { GifFacts } from "../../model/facts.ts";
import type { RasterReader } from "../raster-reader.ts";
import { readGifMetadata } from "./metadata.ts";
import { readGif } from "./probe.ts";

export const gifReader: RasterReader<GifFacts> = {
  isSigned: (head) => startsWith(head, "GIF87a") || startsWith(head, "GIF89a"),
  read: readGif,
  readColour: null,
  readMetadata: readGifMetadata,
};
