/** The forms of the entries of `decoders.ts` and `encoders.ts`. */
import type { FrameReaderName } from "../../image/formats/decodings.ts";
import type { MasterFormat } from "../../image/formats/registry.ts";
import type { Rect, Size } from "../../image/geometry/size.ts";
import type { FactsOf } from "../../image/model/facts.ts";
import type { AnimationPlan } from "../../image/plan/build-plan.ts";
import type { AnimationReader, AnimationWriter } from "../animation/animation.ts";
import type { FrameCanvas } from "../animation/canvas.ts";
import type { Stage } from "../animation/frame-buffers.ts";
import type { Span } from "../emscripten/emscripten.ts";
import { BuildError } from "../failures/build-error.ts";
import type { RowSource } from "../pixels/row-source.ts";
import type { BuildContext } from "../streams/build-context.ts";
import type { Parts } from "../streams/parts.ts";

/** The rows that a build wants of its master. */
export interface WantedRows {
  /** The size as stored, for decoders that resize. */
  to: Size;
  /** The bytes of the arena that the decoder leaves free. */
  canvasBytes: number;
  /** The part of the picture, in the rows of the decoder; null for all of it. */
  crop: Rect | null;
}

/**
 * Opens a master and returns its rows as stored, at its own size, or at `to` if the decoder resizes.
 * @throws BuildError when the picture is at fault, SourceLost when it does not arrive; so does `next` of the rows
 */
export type MasterDecoder<Plan> = (
  context: BuildContext,
  plan: Plan,
  wanted: WantedRows,
) => Promise<RowSource>;

/** Opens the frames of an animation, which are drawn on `canvas`. */
export type OpenFrames = (
  context: BuildContext,
  stage: Stage,
  canvas: FrameCanvas,
) => AnimationReader | Promise<AnimationReader>;

/** Encodes a still. */
export type StillEncoder<Plan> = (context: BuildContext, rows: RowSource, plan: Plan) => Parts;

/** Opens the encoder of an animation. @param current the place in which each frame lies when it is encoded */
export type OpenWriter<Plan> = (
  context: BuildContext<AnimationPlan>,
  plan: Plan,
  stage: Stage,
  current: Span,
) => AnimationWriter;

/** The frame readers by the names in plans. */
export type FrameReaders = { readonly [Name in FrameReaderName]: OpenFrames };

/** Returns the facts of a master in this format. @throws BuildError when the plan is not for this master */
export function factsOf<Format extends MasterFormat>(
  { facts }: BuildContext,
  format: Format,
): FactsOf<Format> {
  if (facts.format === format) return facts as FactsOf<Format>;
  throw new BuildError("internal", "plan", `the plan reads ${format} and the master is ${facts.format}`);
}
