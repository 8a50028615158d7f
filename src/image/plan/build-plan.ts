/**
 * The plan of a build: every decision, made once, as plain data. The plan travels in the order, it can be printed, and
 * the builder executes it without deciding anything again.
 */
import type { PngEffort } from "../formats/png/effort.ts";
import type { RowJpegOptions } from "../formats/jpeg/encoder-options.ts";
import type { BlockSize } from "../formats/jpeg/decoder-memory.ts";
import type { RowWebpOptions, WebpAnimationOptions } from "../formats/webp/encoder-options.ts";
import type { RowAvifOptions } from "../formats/avif/encoder-options.ts";
import type { BuildBytes } from "../memory/isolate.ts";
import type { Effort } from "../model/effort.ts";
import type { ColourProfile, Orientation } from "../model/facts.ts";
import type { Rect, Size } from "../geometry/size.ts";
import type { JpegFrame } from "../formats/jpeg/decoder-frame.ts";

export type Lane = "light" | "heavy";

/** The largest number of bytes in each place, and `peak`, their sum. */
export interface PlannedMemory extends BuildBytes {
  peak: number;
}

/** Which decoder reads the master, and how. Decoders hand out rows as stored, unless `orientationOfRows` is 1. */
export type DecoderPlan =
  /** `scale` has the DCT scale of each component; `frame` is the frame header as far as the probe read it. */
  | { name: "jpeg"; scale: BlockSize[]; frame: JpegFrame; budgetBytes: number }
  /** With `sideBySide`, all passes of an interlaced picture are decoded in parallel, from ranges of the file. */
  | { name: "png"; sideBySide: { rangeBytes: number; bufferBytes: number } | null }
  | { name: "vp8" }
  | { name: "vp8l" }
  | { name: "libaom" }
  | { name: "libaom-grid" }
  | { name: "gif"; bufferBytes: number }
  /**
   * The drawing is drawn at the size `drawn`, in bands of `bandRows` rows; with `drawsCrop`, only the crop of it. With
   * `inlinesStyles`, styles that resvg does not know are first written out as attributes.
   */
  | { name: "resvg"; bandRows: number; inlinesStyles: boolean; drawn: Size; drawsCrop: boolean };

/**
 * Which reader draws the frames of an animation to its canvas. "gif-still" hands out the rows of a GIF of one frame,
 * without a canvas.
 */
export interface FrameReaderPlan {
  name: "gif" | "gif-still" | "webp" | "apng";
  /** Size of the reader's tables. */
  bufferBytes: number;
  /** Whether a copy of the canvas before each frame is kept, for frames whose disposal restores it. */
  keepsBefore: boolean;
  size: Size;
}

/** Which part resizes the rows: the decoder, the resampler, or nobody because they have the right size. */
export interface ResamplingPlan {
  by: "decoder" | "resampler" | "nobody";
  /** The new size of the rows, before they are turned. */
  to: Size;
}

/** How colours are converted to sRGB. */
export interface ColourPlan {
  /** How the master states its colour space. */
  profile: ColourProfile;
  /** Whether the master is gray; its rows may have more than one channel all the same. */
  isGray: boolean;
  isCmyk: boolean;
  /** Whether the picture is composed on white, because the format has no alpha. */
  isFlattened: boolean;
}

/**
 * How the whole picture is held between decoder and encoder. "none": it is not. "rgba": 4 bytes per pixel.
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

export type StillEncoderPlan =
  | { name: "png-rows"; effort: PngEffort }
  | { name: "jpeg-rows"; options: RowJpegOptions }
  | { name: "webp-rows"; options: RowWebpOptions }
  | { name: "avif-rows"; options: RowAvifOptions };

export type AnimationEncoderPlan =
  /**
   * With `isExact`, frames have the master's size, and their colours are not quantised again. With `isSole`, there is one
   * frame, and nothing is held but that; absent in plans that are older than it.
   */
  | { name: "gif"; isExact: boolean; isSole?: boolean; bufferBytes: number }
  | ({ name: "webp" } & WebpAnimationOptions);

interface CommonPlan {
  /** The upright size of the output. */
  size: Size;
  /**
   * The part of the master that is shown, in the coordinates of the rows that the decoder or reader hands out, before
   * they are turned. For a JPEG that its decoder turns: before the decoder mirrors them. For a drawing: at the size
   * that it is drawn. Null for the whole master; absent in plans that are older than crops.
   */
  crop?: Rect | null;
  resampling: ResamplingPlan;
  /** The orientation of the decoded rows: how they still have to be turned. */
  orientation: Orientation;
  colour: ColourPlan;
  memory: PlannedMemory;
}

export interface StillPlan extends CommonPlan {
  kind: "still";
  lane: Lane;
  /** A still that is encoded quickly is built again thoroughly (RULES 9.7). Absent in plans that are older than it. */
  effort?: Effort;
  decoder: DecoderPlan;
  canvas: CanvasPlan;
  encoder: StillEncoderPlan;
}

export interface AnimationPlan extends CommonPlan {
  kind: "animation";
  lane: Lane;
  reader: FrameReaderPlan;
  /** Null when they were never counted. */
  frames: number | null;
  encoder: AnimationEncoderPlan;
}

export type BuildPlan = StillPlan | AnimationPlan;

/** Animations are always encoded thoroughly. */
export const effortOf = (plan: BuildPlan): Effort =>
  plan.kind === "still" ? (plan.effort ?? "thorough") : "thorough";

export interface PlaceholderPlan extends CommonPlan {
  kind: "placeholder";
  canvas: CanvasPlan;
  /** For an animation, the file is read only until its first frame is drawn. */
  master: { by: "decoder"; decoder: DecoderPlan } | { by: "first-frame"; reader: FrameReaderPlan };
}

/** The decoder that the plan names; null when a frame reader is used instead. */
export function decoderOf(plan: BuildPlan | PlaceholderPlan): DecoderPlan | null {
  if (plan.kind === "still") return plan.decoder;
  return plan.kind === "placeholder" && plan.master.by === "decoder" ? plan.master.decoder : null;
}

/** Why there is no plan. `auto=format` goes on to the next format for every reason but "over-limit" (RULES 5.5). */
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
