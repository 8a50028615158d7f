/** The properties of the encoding of AVIF that plans need. */
import type { Chroma } from "../../model/encoder-options.ts";
import type { Quality } from "../../model/variant.ts";
import { fileBytesOf, type PictureToEncode, type StillEncoding } from "../encoding.ts";
import { avifEncoderPeakBytes } from "./encoder-memory.ts";
import { type RowAvifOptions, rowAvifOptions } from "./encoder-options.ts";

export interface AvifEncoderPlan {
  name: "avif-rows";
  options: RowAvifOptions;
}

/** Bytes per pixel of a photograph full of grain, as in `fileBytesOf`. */
const DETAILED_BYTES: Record<Quality, number> = { 80: 0.22, 90: 0.7, 95: 1, 100: 1.45 };
const REMAINING_BYTES: Record<Quality, number> = { 80: 0.05, 90: 0.15, 95: 0.25, 100: 0.4 };

/** From this quality on, colour keeps its full resolution. */
const FULL_CHROMA_MIN_QUALITY = 90;

const PIXEL_NANOSECONDS = { "420": 340, "444": 430 } as const;
const QUICK_NANOSECONDS = { "420": 115, "444": 140 } as const;
/** Drawings and screenshots that are full of letters. Others take half. */
const DRAWING_NANOSECONDS = 700;
/** The additional time for alpha, most of which is flat. */
const ALPHA_NANOSECONDS = 90;

/** Lines in colour lose more at half the resolution than the bytes are worth, so drawings keep the full one. */
const chromaOf = ({ quality, isPhotograph }: PictureToEncode): Chroma =>
  quality >= FULL_CHROMA_MIN_QUALITY || !isPhotograph ? "444" : "420";

function pixelNanoseconds(picture: PictureToEncode, isQuick: boolean): number {
  if (isQuick) return QUICK_NANOSECONDS[chromaOf(picture)];
  return picture.isPhotograph ? PIXEL_NANOSECONDS[chromaOf(picture)] : DRAWING_NANOSECONDS;
}

const still: StillEncoding<AvifEncoderPlan> = {
  plan: (picture, effort) => ({
    name: "avif-rows",
    options: rowAvifOptions(picture.quality, chromaOf(picture), !picture.isPhotograph, effort),
  }),
  hasQuickEffort: ({ isPhotograph }) => isPhotograph,
  memoryBytes: ({ width, height, layout }) => avifEncoderPeakBytes(width, height, layout),
  fileBytes: (picture) =>
    fileBytesOf(picture, DETAILED_BYTES[picture.quality], REMAINING_BYTES[picture.quality]),
  isSentInParts: false,

  nanoseconds(picture, effort) {
    const pixels = picture.width * picture.height;
    const alpha = picture.hasAlpha ? pixels * ALPHA_NANOSECONDS : 0;
    return pixels * pixelNanoseconds(picture, effort === "quick") + alpha;
  },
};

export const avifEncoding = { still, animation: null };
