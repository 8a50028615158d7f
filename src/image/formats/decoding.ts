/** The form of an entry of `decodings.ts`, and the parts that the entries share. */
import type { Crop } from "../geometry/crop.ts";
import type { Rect, Size } from "../geometry/size.ts";
import { resamplerPeakBytes } from "../memory/resampler.ts";
import type { RowLayout } from "../memory/rows.ts";
import type { MasterFacts } from "../model/facts.ts";
import { asStored, turned } from "../model/orientation.ts";

/** The upright size of the output, and the part of the master that it shows. */
export interface Wanted extends Size {
  crop?: Crop;
}

/** The part that resizes the rows: the decoder, the resampler, or nobody because they have the right size. */
export interface ResamplingPlan {
  by: "decoder" | "resampler" | "nobody";
  /** The new size of the rows, before they are turned. */
  to: Size;
}

/** The decoder of a master with its settings, and the bytes that this takes in each memory and outside them. */
export interface Decoding<Plan> {
  arena: number;
  resampler: number;
  buffers: number;
  decoder: Plan;
  resampling: ResamplingPlan;
  /** The part of the master that is shown, as in CommonPlan (plan/build-plan.ts). */
  crop: Rect | null;
}

/** The memory of a codec of animations for one frame. */
export interface FrameBytes {
  arena: number;
  rowCodec: number;
  buffers: number;
}

/** The reader of the frames of an animation. */
export interface FrameDecoding<Facts extends MasterFacts, Name extends string> {
  /** The name of the reader in plans. */
  readonly name: Name;
  /** Size of the reader's tables. */
  readonly bufferBytes: number;
  /** Whether frames may restore the canvas from before them, so that a copy of it is kept. */
  readonly keepsBefore: boolean;
  /** Whether the first frame of the file has to be read as that of an animation. */
  isFirstFrameRead(facts: Facts): boolean;
  /** Returns the memory of reading one frame. */
  bytes(facts: Facts, sourceBytes: number): FrameBytes;
}

/**
 * The properties of a format's decoders that plans need. The builder has the decoders under the names in the plans.
 * `Reader` is the name of the reader of animations; null without one.
 */
export interface MasterDecoding<
  Facts extends MasterFacts,
  Plan extends { name: string },
  Reader extends string | null = null,
> {
  /** Returns the layout of the rows that the decoder hands out. */
  layout(facts: Facts): RowLayout;
  /** Whether the decoder itself hands out upright rows. */
  turnsRows(facts: Facts): boolean;
  /** Returns why no decoder reads the file; null if one does. */
  unsupported(facts: Facts, wanted: Wanted): string | null;
  /**
   * Chooses the decoder, and computes the memory that it and the resampler take.
   * @param budgetBytes the arena that decoding may take; a JPEG is decoded at a smaller scale to stay within it
   */
  decode(facts: Facts, sourceBytes: number, wanted: Wanted, budgetBytes: number): Decoding<Plan>;
  /** Estimates the time of decoding and resampling on one x86-64 core under workerd. */
  nanoseconds(facts: Facts, sourceBytes: number, wanted: Wanted): number;
  /** Whether the master was stored without loss. A loss leaves so many colours that WebP without loss is larger. */
  isExact(facts: Facts): boolean;
  /** Whether the master probably shows a photograph, and not a drawing or a screenshot. */
  isPhotograph(facts: Facts, sourceBytes: number): boolean;
  /** Null if frames of animations are not read. */
  readonly frames: Reader extends string ? FrameDecoding<Facts, Reader> : null;
}

/** Returns the crop in the coordinates of the stored master; null for the whole. */
export const storedCrop = (facts: MasterFacts, { crop }: Wanted): Rect | null =>
  crop ? asStored(crop.rect, facts, facts.orientation) : null;

export const codedSize = ({ codedWidth: width, codedHeight: height }: MasterFacts): Size => ({
  width,
  height,
});

/** Returns the number of pixels of the coded picture. */
export const codedPixels = ({ codedWidth, codedHeight }: MasterFacts): number => codedWidth * codedHeight;

/** Returns the number of pixels that a decoder in rows decodes: it stops after the last row of the crop. */
export function pixelsInRows(facts: MasterFacts, wanted: Wanted): number {
  const crop = storedCrop(facts, wanted);
  return crop ? facts.codedWidth * (crop.top + crop.height) : codedPixels(facts);
}

/** Returns the decoded samples per pixel. */
export const samplesOf = ({ colour, hasAlpha }: Pick<MasterFacts, "colour" | "hasAlpha">): number =>
  (colour === "gray" ? 1 : 3) + (hasAlpha ? 1 : 0);

const RESAMPLE_NANOSECONDS = { in: 2, out: 12 } as const;

/** Estimates the time that the resampler takes. */
export function resamplingNanoseconds(facts: MasterFacts, wanted: Wanted): number {
  const crop = storedCrop(facts, wanted);
  const seen = crop ? crop.width * crop.height : codedPixels(facts);
  return seen * RESAMPLE_NANOSECONDS.in + wanted.width * wanted.height * RESAMPLE_NANOSECONDS.out;
}

/** The choice of a decoder whose rows the resampler resizes. */
export interface Reading<Plan> {
  arena: number;
  buffers?: number;
  decoder: Plan;
}

/**
 * Completes the choice of a decoder that hands out rows of the master's size: the resampler resizes them if necessary.
 * @param whole the size of the rows if nothing is cropped
 */
export function withResampler<Plan>(
  facts: MasterFacts,
  wanted: Wanted,
  layout: RowLayout,
  { arena, buffers = 0, decoder }: Reading<Plan>,
  whole: Size = codedSize(facts),
): Decoding<Plan> {
  const crop = storedCrop(facts, wanted);
  const { width, height } = crop ?? whole;
  const to = turned(wanted, facts.orientation);
  const by = width === to.width && height === to.height ? "nobody" : "resampler";
  const resampler = resamplerPeakBytes({ width, height, layout }, to);
  return { arena, resampler, buffers, decoder, resampling: { by, to }, crop };
}

/** Returns the layout of most decoders: RGB, with alpha if the master has it. */
export const rgbLayout = ({ hasAlpha }: MasterFacts): RowLayout => (hasAlpha ? "rgba" : "rgb");

const BITS_PER_BYTE = 8;

/** Returns the bytes of the samples of the picture, with palettes resolved and without alpha. */
export const sampleBytes = (facts: MasterFacts): number =>
  (codedPixels(facts) * (facts.colour === "gray" ? 1 : 3) * facts.bitDepth) / BITS_PER_BYTE;
