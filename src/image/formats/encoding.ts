/** The form of an entry of `encodings.ts`, and the parts that the entries share. */
import { MULTIPART } from "../../limits.ts";
import type { Size } from "../geometry/size.ts";
import type { RowLayout } from "../memory/rows.ts";
import type { MasterFacts } from "../model/facts.ts";
import type { Effort, Quality, VariantSpec } from "../model/variant.ts";
import type { FrameBytes } from "./decoding.ts";

/** The upright picture that an encoder receives, as far as the plan knows it. */
export interface PictureToEncode extends Size {
  /** The default where the variant has none. */
  readonly quality: Quality;
  /** The layout of its rows. */
  readonly layout: RowLayout;
  /** Whether the master has alpha. */
  readonly hasAlpha: boolean;
  /** Samples per pixel of the master. */
  readonly samples: number;
  /** Whether the master was stored without loss. */
  readonly isExact: boolean;
  /** Whether the master probably shows a photograph, and not a drawing or a screenshot. */
  readonly isPhotograph: boolean;
}

/** How an encoder's quantiser is fitted to a picture, so that it has the look that its quality promises. */
export interface Fitting<Plan> {
  /**
   * Returns the plan with about `factor` times the steps of quantisation. The memory is planned for factors between
   * FITTING_FACTORS.
   */
  scaled(plan: Plan, factor: number): Plan;
  /** The differences that SSIMULACRA 2 adds up grow with this power of the factor, as a mean over photographs. */
  readonly power: number;
  /** Returns the facts of a file that the encoder has written. */
  facts(size: Size, isGray: boolean): MasterFacts;
}

/** The finest and the coarsest steps that a picture may get, as factors of the usual ones. */
export const FITTING_FACTORS = { finest: 0.55, coarsest: 2.2 } as const;

/** The properties of a format's encoder of stills that plans need. The builder has it under the name in the plans. */
export interface StillEncoding<Plan extends { name: string }> {
  plan(picture: PictureToEncode, effort: Effort): Plan;
  /** Null if the encoder has no loss. */
  readonly fitting: Fitting<Plan> | null;
  /** Whether the encoder has a quick effort for the picture. */
  hasQuickEffort(picture: PictureToEncode): boolean;
  /** Returns the bytes that encoding takes in the memory of row codecs. */
  memoryBytes(picture: PictureToEncode, effort: Effort): number;
  /** Estimates the bytes of the file. */
  fileBytes(picture: PictureToEncode): number;
  /** Whether the file is sent in parts while it is encoded. If not, all of it is held until its end. */
  readonly isSentInParts: boolean;
  /**
   * Estimates the time of encoding a photograph with grain. The figures were fitted to runs from 200 x 150 to 8.5
   * megapixels. Flat graphics take a third, but in PNG about as much.
   */
  nanoseconds(picture: PictureToEncode, effort: Effort): number;
}

/** An animation to encode, as far as the plan knows it. */
export interface AnimationToEncode {
  readonly facts: MasterFacts;
  readonly sourceBytes: number;
  readonly spec: VariantSpec;
  readonly isExact: boolean;
  /** The canvas on which its frames are drawn, with the copy of it that the reader keeps. */
  readonly canvasBytes: number;
}

/** The memory of a writer: `frames` stay in the arena, the rest is for the frame that it works on. */
export interface WriterBytes extends FrameBytes {
  frames: number;
}

/** The properties of a format's encoder of animations that plans need. */
export interface AnimationEncoding<Plan extends { name: string }> {
  plan(animation: AnimationToEncode): Plan;
  bytes(animation: AnimationToEncode): WriterBytes;
  /** Estimates the bytes of the file that are held at once. */
  outputBytes(animation: AnimationToEncode): number;
}

/** One format of variants. */
export interface VariantEncoding<HoldsFrames extends boolean> {
  /** Null if stills are written as animations of one frame. */
  readonly still: StillEncoding<{ name: string }> | null;
  readonly animation: HoldsFrames extends true ? AnimationEncoding<{ name: string }> : null;
}

/** Bytes of one pixel of a frame. */
export const PIXEL_BYTES = 4;
/** The number of frames that is assumed of a file that was stored before frames were counted. */
export const UNCOUNTED_FRAMES = 1;

/** The longest chunk, in bytes, that an encoder hands out when its file is sent in parts. */
const CHUNK_MAX_BYTES = 65_536;
/** A file that is sent in parts is held up to one part, and the rest of the chunk that completed it. */
export const HELD_OF_PARTS_MAX_BYTES = MULTIPART.partBytes + CHUNK_MAX_BYTES;

const DETAILED_MAX_PIXELS = 2_000_000;

/**
 * Estimates the bytes of a file, so that there is room for a photograph full of grain. A file that needs more is built
 * as long as there is room.
 * @param detailed bytes per pixel or sample of the first DETAILED_MAX_PIXELS
 * @param remaining those of the others: photographs at their full size have less detail per pixel
 */
export function fileBytesOf({ width, height }: Size, detailed: number, remaining: number): number {
  const pixels = width * height;
  const fine = Math.min(DETAILED_MAX_PIXELS, pixels);
  return detailed * fine + remaining * (pixels - fine);
}
