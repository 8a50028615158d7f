/**
 * What a build does, decided once. A plan is plain data: it travels in the order, it can be printed, and the builder
 * executes it without deciding anything again.
 */
import type { RowJpegOptions } from "../formats/jpeg/encoder-options.ts";
import type { BlockSize } from "../formats/jpeg/decoder-memory.ts";
import type { RowWebpOptions, WebpAnimationOptions } from "../formats/webp/encoder-options.ts";
import type { RowAvifOptions } from "../formats/avif/encoder-options.ts";
import type { Tiling } from "../formats/avif/tiling.ts";
import type { BuildBytes } from "../memory/isolate.ts";
import type { EncoderOptions } from "../model/encoder-options.ts";
import type { ColourProfile, Orientation } from "../model/facts.ts";
import type { Rect, Size } from "../model/size.ts";
import type { JpegFrame } from "../formats/jpeg/decoder-frame.ts";

export type Lane = "light" | "heavy";

/** Bytes by part, each at its most, and `peak`: all of them together. */
export interface PlannedMemory extends BuildBytes {
  peak: number;
}

/** Which decoder reads the master, and how. Rows come as stored. */
export type DecoderPlan =
  /** Each component is read at a DCT scale of its own. `frame` is what the probe told of the header. */
  | { name: "jpeg"; scale: BlockSize[]; frame: JpegFrame; budgetBytes: number }
  /** With `sideBySide`, the passes of an interlaced picture are read beside each other, in ranges of the file. */
  | { name: "png"; sideBySide: { rangeBytes: number; bufferBytes: number } | null }
  | { name: "vp8" }
  | { name: "libwebp" }
  | { name: "libaom" }
  | { name: "libaom-grid" }
  | { name: "gif"; bufferBytes: number }
  /**
   * The drawing, with its styles written out where resvg does not know them: the whole of it, `drawn` in size, or with
   * `drawsCrop` only what is seen; in bands of `bandRows`.
   */
  | { name: "resvg"; bandRows: number; inlinesStyles: boolean; drawn: Size; drawsCrop: boolean };

/** Which reader draws the frames of an animation on its canvas. */
export interface FrameReaderPlan {
  name: "gif" | "webp" | "apng";
  /** Tables of the reader. */
  bufferBytes: number;
  /** The canvas is kept as it was before a frame, for frames that are taken away again. */
  keepsBefore: boolean;
  size: Size;
}

/** Who brings the rows to their size: the decoder itself, the resampler, or nobody as they have it. */
export interface ResamplingPlan {
  by: "decoder" | "resampler" | "nobody";
  /** As stored: not yet turned. */
  to: Size;
}

/** How colours come to sRGB. */
export interface ColourPlan {
  /** Where the master states its colours. */
  profile: ColourProfile;
  /** Of one channel, whatever the rows have. */
  isGray: boolean;
  isCmyk: boolean;
  /** Alpha is laid on white: the format has none. */
  isFlattened: boolean;
}

/**
 * How the picture is held whole between decoder and encoder: not at all, as pixels of 4 bytes, as pixels of the
 * channels that it has, or for encoders in rows in planes that are turned when they are read, chroma halved or not.
 */
export type CanvasKind = "none" | "rgba" | "packed" | "planes" | "planes-420";

export interface CanvasPlan {
  kind: CanvasKind;
  bytes: number;
  /** Where it begins in the arena at least. */
  floorBytes: number;
}

export type StillEncoderPlan =
  | { name: "png-rows" }
  | { name: "jpeg-rows"; options: RowJpegOptions }
  | { name: "webp-rows"; options: RowWebpOptions }
  /** `inRows` is for a picture whose alpha takes more than libwebp can have. */
  | { name: "libwebp"; options: EncoderOptions; inRows: RowWebpOptions }
  | { name: "avif-rows"; options: RowAvifOptions }
  | { name: "libaom"; options: EncoderOptions }
  | { name: "libaom-tiles"; options: { colour: EncoderOptions; alpha: EncoderOptions }; tiling: Tiling };

export type AnimationEncoderPlan =
  /** With `isExact`, frames have the master's size, and its colours are kept as they are. */
  { name: "gif"; isExact: boolean; bufferBytes: number } | ({ name: "webp" } & WebpAnimationOptions);

interface CommonPlan {
  /** Of the picture that comes out, upright. */
  size: Size;
  /**
   * The part of the master that is seen, in the rows that its decoder or reader would give of it: before they are turned,
   * and of a JPEG that is turned by its decoder before it mirrors them. Of a drawing at the size that it is drawn. Null
   * for the whole; absent in a plan of before there were crops.
   */
  crop?: Rect | null;
  resampling: ResamplingPlan;
  /** What the rows still have to be turned by. */
  orientation: Orientation;
  colour: ColourPlan;
  memory: PlannedMemory;
}

export interface StillPlan extends CommonPlan {
  kind: "still";
  lane: Lane;
  decoder: DecoderPlan;
  canvas: CanvasPlan;
  encoder: StillEncoderPlan;
}

export interface AnimationPlan extends CommonPlan {
  kind: "animation";
  lane: Lane;
  reader: FrameReaderPlan;
  /** Null when nobody has counted them. */
  frames: number | null;
  encoder: AnimationEncoderPlan;
}

export type BuildPlan = StillPlan | AnimationPlan;

export interface PlaceholderPlan extends CommonPlan {
  kind: "placeholder";
  canvas: CanvasPlan;
  /** Of an animation the first frame is drawn, and no more of the file is read. */
  master: { by: "decoder"; decoder: DecoderPlan } | { by: "first-frame"; reader: FrameReaderPlan };
}

/** The decoder of the master; null where frames are read. */
export function decoderOf(plan: BuildPlan | PlaceholderPlan): DecoderPlan | null {
  if (plan.kind === "still") return plan.decoder;
  return plan.kind === "placeholder" && plan.master.by === "decoder" ? plan.master.decoder : null;
}

/** Why there is no plan. Only what is inside the limits lets `auto=format` go on to another format. */
export type Refusal =
  /** Over a source or output limit. */
  | "over-limit"
  /** Inside the limits, but nothing here builds it. */
  | "not-supported"
  /** Inside the limits, but the planned peak does not fit one isolate. */
  | "too-large-for-isolate";

export interface Refused {
  ok: false;
  refusal: Refusal;
  reason: string;
  /** Of what does not fit an isolate. */
  peakBytes?: number;
}
