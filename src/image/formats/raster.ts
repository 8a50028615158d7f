/** The kinds that are recognised by their first bytes, and their parsers. */
import type { MasterFacts } from "../model/facts.ts";
import { readAvif } from "./avif/probe.ts";
import { ByteFeed, type Parsing } from "../bytes/byte-feed.ts";
import { InvalidImageError, UnsupportedMediaError } from "../bytes/errors.ts";
import { readGif } from "./gif/probe.ts";
import { readJpeg, type Postpone } from "./jpeg/probe.ts";
import { startsWith } from "../bytes/numbers.ts";
import { readPng } from "./png/probe.ts";
import { readWebp } from "./webp/probe.ts";

/** "isobmff" is any file that begins with an `ftyp` box. The AVIF parser reads its brands. */
export type RasterKind = "jpeg" | "png" | "gif" | "webp" | "isobmff";

/** How many bytes identify a kind. */
export const SIGNATURE_BYTES = 12;

/** The kind of a file by its first SIGNATURE_BYTES; null for an unknown signature. */
export function rasterKind(head: Uint8Array): RasterKind | null {
  if (startsWith(head, "\xff\xd8\xff")) return "jpeg";
  // Only the first half of the signature: the other half detects damage in transfer, which the PNG parser reports.
  if (startsWith(head, "\x89PNG")) return "png";
  if (startsWith(head, "GIF87a") || startsWith(head, "GIF89a")) return "gif";
  if (startsWith(head, "RIFF") && startsWith(head, "WEBP", 8)) return "webp";
  return startsWith(head, "ftyp", 4) ? "isobmff" : null;
}

export function* readRaster(feed: ByteFeed, kind: RasterKind, postpone?: Postpone): Parsing<MasterFacts> {
  switch (kind) {
    case "jpeg":
      return yield* readJpeg(feed, postpone);
    case "png":
      return yield* readPng(feed);
    case "gif":
      return yield* readGif(feed);
    case "webp":
      return yield* readWebp(feed);
    case "isobmff":
      return yield* readAvif(feed);
  }
}

/** The facts of a raster file that is wholly in memory; null if it is broken or of another kind. */
export function probeRaster(file: Uint8Array): MasterFacts | null {
  const kind = rasterKind(file.subarray(0, SIGNATURE_BYTES));
  if (!kind) return null;
  const feed = new ByteFeed();
  feed.give(file);
  feed.end();
  try {
    const parsing = readRaster(feed, kind);
    for (;;) {
      const step = parsing.next();
      if (step.done) return step.value;
    }
  } catch (error) {
    if (error instanceof InvalidImageError || error instanceof UnsupportedMediaError) return null;
    throw error;
  }
}
