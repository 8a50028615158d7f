/** The plan of a placeholder. The placeholder of an animation shows its first frame. */
import { ISOLATE, PLACEHOLDER, TRANSFORM } from "../../limits.ts";
import { decodingOf, orientationOfRows } from "../formats/decodings.ts";
import { FORMATS } from "../formats/registry.ts";
import { fitsIsolate, type BuildBytes, peakOf, roomBeside } from "../memory/isolate.ts";
import type { MasterFacts } from "../model/facts.ts";
import type { Size } from "../geometry/size.ts";
import type { VariantSpec } from "../model/variant.ts";
import type { FrameReaderPlan, PlaceholderPlan } from "./build-plan.ts";
import { firstFrameBytes, readerPlan, resamplingOf } from "./plan-animation.ts";
import { planBuild } from "./plan.ts";
import { colourPlan } from "./plan-still.ts";

export type PlannedPlaceholder = ({ ok: true } & PlaceholderPlan) | { ok: false; reason: string };

const PIXEL_BYTES = 4;

/** Returns whether the master is read by a frame reader, up to its first frame. */
const isReadByFrame = (facts: MasterFacts): boolean =>
  decodingOf(facts).frames?.isFirstFrameRead(facts) ?? false;

/** Plans the master's placeholder, or says why none can be made. */
export function planPlaceholder(facts: MasterFacts, sourceBytes: number): PlannedPlaceholder {
  const size = sizeOf(facts);
  // Planned as a PNG variant, whose encoder takes at least as much memory as the placeholder's own work.
  const spec: VariantSpec = { ...size, format: "png", quality: null, animated: false };
  const reader = isReadByFrame(facts) ? readerPlan(facts) : null;
  if (reader) return planFirstFrame(facts, sourceBytes, spec, reader);
  const plan = planBuild({ ...facts, frames: 1, animated: false }, sourceBytes, spec);
  if (!plan.ok) return { ok: false, reason: plan.reason };
  return { ok: true, ...placeholderOf(facts, sourceBytes, size, plan.memory, null) };
}

/** Completes the plan. @param reader null if the master is read by its decoder */
function placeholderOf(
  facts: MasterFacts,
  sourceBytes: number,
  size: Size,
  bytes: BuildBytes,
  reader: FrameReaderPlan | null,
): PlaceholderPlan {
  const canvasBytes = size.width * size.height * PIXEL_BYTES;
  const { decoder, resampling } = decodingOf(facts).decode(facts, sourceBytes, size, roomBeside(canvasBytes));
  return {
    kind: "placeholder",
    size,
    crop: null,
    master: reader ? { by: "first-frame", reader } : { by: "decoder", decoder },
    resampling: reader ? resamplingOf(facts, size) : resampling,
    orientation: orientationOfRows(facts),
    colour: colourPlan(facts, null),
    canvas: { kind: "rgba", bytes: canvasBytes, floorBytes: 0 },
    memory: { ...bytes, peak: peakOf(bytes) },
  };
}

/** Returns the size, within the limit of ThumbHash. Only drawings, which have no pixels of their own, are enlarged. */
function sizeOf({ width, height, format }: MasterFacts): Size {
  const scale = PLACEHOLDER.sideMaxPixels / Math.max(width, height);
  if (scale >= 1 && !FORMATS[format].isVector) return { width, height };
  const scaled = (side: number): number => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height) };
}

/** Plans the placeholder of an animation. The number of frames does not matter: only the first one is read. */
function planFirstFrame(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
  reader: FrameReaderPlan,
): PlannedPlaceholder {
  if (sourceBytes > TRANSFORM.sourceMaxBytes) return { ok: false, reason: "the master is over 40 MB" };
  if (facts.codedWidth * facts.codedHeight > TRANSFORM.sourceMaxPixelsAllFrames)
    return { ok: false, reason: "a frame of the master is over 80 megapixels" };
  const bytes = firstFrameBytes(facts, sourceBytes, spec);
  if (!fitsIsolate(bytes))
    return { ok: false, reason: `needs ${peakOf(bytes)} bytes of ${ISOLATE.buildBytes}` };
  const { width, height } = spec;
  return { ok: true, ...placeholderOf(facts, sourceBytes, { width, height }, bytes, reader) };
}
