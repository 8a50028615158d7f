/** The properties of the encoding of AVIF that plans need. */
import type { Chroma } from "../../model/encoder-options.ts";
import type { Effort, Quality } from "../../model/variant.ts";
import { fileBytesOf, type Fitting, type PictureToEncode, type StillEncoding } from "../encoding.ts";
import { avifEncoderPeakBytes } from "./encoder-memory.ts";
import { type RowAvifOptions, rowAvifOptions, scaledAvif } from "./encoder-options.ts";

export interface AvifEncoderPlan {
  name: "avif-rows";
  options: RowAvifOptions;
}

/** Bytes per pixel of a photograph full of grain, as in `fileBytesOf`, with the quantiser that it needs for its look. */
const DETAILED_BYTES: Record<Quality, number> = { 80: 0.4, 90: 0.9, 95: 1.2, 100: 1.45 };
const REMAINING_BYTES: Record<Quality, number> = { 80: 0.09, 90: 0.2, 95: 0.32, 100: 0.4 };

/** From this quality on, colour keeps its full resolution for a visitor who waits too. */
const FULL_CHROMA_MIN_QUALITY = 90;

const PIXEL_NANOSECONDS = 430;
const QUICK_NANOSECONDS = { "420": 115, "444": 140 } as const;
/** Drawings and screenshots that are full of letters. Others take half. */
const DRAWING_NANOSECONDS = 700;
/** The additional time for alpha, most of which is flat. */
const ALPHA_NANOSECONDS = 90;

/**
 * Returns the resolution of chroma. The full one needs fewer bytes for the same look, and decoders enlarge the other one
 * in different ways, which in strong colours is worth three points. But it takes longer, so a quick photograph at a low
 * quality has half of it.
 */
const chromaOf = ({ quality, isPhotograph }: PictureToEncode, effort: Effort): Chroma =>
  quality >= FULL_CHROMA_MIN_QUALITY || !isPhotograph || effort === "thorough" ? "444" : "420";

function pixelNanoseconds(picture: PictureToEncode, effort: Effort): number {
  if (effort === "quick") return QUICK_NANOSECONDS[chromaOf(picture, effort)];
  return picture.isPhotograph ? PIXEL_NANOSECONDS : DRAWING_NANOSECONDS;
}

const fitting: Fitting<AvifEncoderPlan> = {
  scaled: ({ name, options }, factor) => ({ name, options: scaledAvif(options, factor) }),
  power: 1.25,
  facts: ({ width, height }, isGray) => ({
    format: "avif",
    ...{ width, height, codedWidth: width, codedHeight: height },
    orientation: 1,
    frames: 1,
    animated: false,
    hasAlpha: false,
    bitDepth: 8,
    colour: isGray ? "gray" : "rgb",
    profile: "cicp",
    grid: null,
    crop: null,
    chroma: isGray ? "400" : "444",
    restorable: false,
    superblock: 64,
    keptFrames: 0,
  }),
};

const still: StillEncoding<AvifEncoderPlan> = {
  plan: (picture, effort) => ({
    name: "avif-rows",
    options: rowAvifOptions(picture.quality, chromaOf(picture, effort), !picture.isPhotograph, effort),
  }),
  fitting,
  hasQuickEffort: ({ isPhotograph }) => isPhotograph,
  memoryBytes: ({ width, height, layout }) => avifEncoderPeakBytes(width, height, layout),
  fileBytes: (picture) =>
    fileBytesOf(picture, DETAILED_BYTES[picture.quality], REMAINING_BYTES[picture.quality]),
  isSentInParts: false,

  nanoseconds(picture, effort) {
    const pixels = picture.width * picture.height;
    const alpha = picture.hasAlpha ? pixels * ALPHA_NANOSECONDS : 0;
    return pixels * pixelNanoseconds(picture, effort) + alpha;
  },
};

export const avifEncoding = { still, animation: null };
