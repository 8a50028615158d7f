/**
 * The plan of a build: every decision, made once, as plain data. The plan travels in the order, it can be printed, and
 * the builder executes it without deciding anything again.
 */
import type { Rect, Size } from "../geometry/size.ts";
import type { ResamplingPlan } from "../formats/decoding.ts";
import type { DecoderPlan, FrameReaderName } from "../formats/decodings.ts";
import type { AnimationEncoderPlan, StillEncoderPlan } from "../formats/encodings.ts";
import type { LookPlan } from "./plan-look.ts";
import type { BuildBytes } from "../memory/isolate.ts";
import type { Copyright } from "../model/copyright.ts";
import type { ColourProfile, Orientation } from "../model/facts.ts";
import type { Effort } from "../model/variant.ts";

export type Lane = "light" | "heavy";

/** The largest number of bytes in each place, and `peak`, their sum. */
export interface PlannedMemory extends BuildBytes {
  peak: number;
}

/** The reader that draws the frames of an animation to its canvas. */
export interface FrameReaderPlan {
  name: FrameReaderName;
  /** Size of the reader's tables. */
  bufferBytes: number;
  /** Whether a copy of the canvas before each frame is kept, for frames whose disposal restores it. */
  keepsBefore: boolean;
  size: Size;
}

/** The reader that hands out the rows of a GIF of one frame, without a canvas. */
export interface SoleFrameReaderPlan extends Omit<FrameReaderPlan, "name"> {
  name: "gif-still";
}

/** The conversion of colours to the gamut of the variant. */
export interface ColourPlan {
  /** The way in which the master states its colour space. */
  profile: ColourProfile;
  /** Whether the master is gray; its rows may have more than one channel all the same. */
  isGray: boolean;
  isCmyk: boolean;
  /** Whether the picture is composed on a background. */
  isFlattened: boolean;
  /** The background in the variant's gamut, six hexadecimal digits; absent for white. */
  background?: string;
  /** Absent for sRGB. */
  gamut?: "p3";
}

/** The canvas that is larger than the picture. */
export interface PadPlan {
  /** The place of the upright picture. */
  place: Rect;
  /** The colour beside the picture in the variant's gamut, six hexadecimal digits; null for transparent. */
  colour: string | null;
}

/**
 * The form in which the whole picture is held between decoder and encoder. "none": it is not. "rgba": 4 bytes per pixel.
 * "planes": planes that are turned when a row encoder reads them (memory/planes.ts). "planes-420": the same with chroma
 * at half resolution.
 */
export type CanvasKind = "none" | "rgba" | "planes" | "planes-420";

export interface CanvasPlan {
  kind: CanvasKind;
  bytes: number;
  /** The lowest address in the arena where it may begin. */
  floorBytes: number;
}

interface CommonPlan {
  /** The upright size of the output. */
  size: Size;
  /** Absent if the picture covers the output. */
  pad?: PadPlan;
  /**
   * The part of the master that is shown, in the coordinates of the rows that the decoder or reader hands out, before
   * they are turned. For a JPEG that its decoder turns: before the decoder mirrors them. For a drawing: at the size
   * that it is drawn. Null for the whole master.
   */
  crop: Rect | null;
  resampling: ResamplingPlan;
  /** The orientation of the decoded rows: how they still have to be turned. */
  orientation: Orientation;
  colour: ColourPlan;
  /** The statements that the file holds about rights; absent for none. */
  rights?: Copyright;
  memory: PlannedMemory;
}

export interface StillPlan extends CommonPlan {
  kind: "still";
  lane: Lane;
  /** A still that is encoded quickly is built again thoroughly (RULES 9.7). */
  effort: Effort;
  decoder: DecoderPlan;
  canvas: CanvasPlan;
  encoder: StillEncoderPlan;
  /** How the encoder's quantiser is fitted to the picture; absent if the plan of the encoder is final. */
  look?: LookPlan;
}

export interface AnimationPlan extends CommonPlan {
  kind: "animation";
  lane: Lane;
  reader: FrameReaderPlan | SoleFrameReaderPlan;
  /** Null when they were never counted. */
  frames: number | null;
  encoder: AnimationEncoderPlan;
}

export type BuildPlan = StillPlan | AnimationPlan;

/** Returns the effort of a build. Animations are always encoded thoroughly. */
export const effortOf = (plan: BuildPlan): Effort => (plan.kind === "still" ? plan.effort : "thorough");

export interface PlaceholderPlan extends CommonPlan {
  kind: "placeholder";
  canvas: CanvasPlan;
  /** For an animation, the file is read only until its first frame is drawn. */
  master: { by: "decoder"; decoder: DecoderPlan } | { by: "first-frame"; reader: FrameReaderPlan };
}

/** Returns the decoder that the plan names; null when a frame reader is used instead. */
export function decoderOf(plan: BuildPlan | PlaceholderPlan): DecoderPlan | null {
  if (plan.kind === "still") return plan.decoder;
  return plan.kind === "placeholder" && plan.master.by === "decoder" ? plan.master.decoder : null;
}

/** Returns the most bytes per read of a decoder that reads parts of the file a second time; null for any other plan. */
export function rangeBytesOf(plan: BuildPlan | PlaceholderPlan): number | null {
  const decoder = decoderOf(plan);
  return decoder?.name === "png" ? (decoder.sideBySide?.rangeBytes ?? null) : null;
}

/** The reason why there is no plan. `auto=format` goes on to the next format for every reason but "over-limit" (RULES 5.5). */
export type Refusal =
  /** Over a source or output limit. */
  | "over-limit"
  /** Inside the limits, but no decoder or encoder here can build it. */
  | "not-supported"
  /** Inside the limits, but the planned peak does not fit one isolate. */
  | "too-large-for-isolate";

export interface Refused {
  ok: false;
  refusal: Refusal;
  reason: string;
  /** With "too-large-for-isolate": the planned peak. */
  peakBytes?: number;
}
