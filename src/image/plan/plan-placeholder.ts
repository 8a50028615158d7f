/**
 * The placeholder of a master: what a page shows until the picture is there. Its size, and what making it costs.
 * Of an animation it is that of the first frame.
 */
import { ISOLATE, PLACEHOLDER, TRANSFORM } from "../../limits.ts";
import { firstFrameBytes } from "./plan-animation.ts";
import type { MasterFacts } from "../model/facts.ts";
import { fitsIsolate, peakOf } from "../memory/isolate.ts";
import { planVariant } from "./plan.ts";
import type { VariantSpec } from "../model/variant.ts";

export interface Placeholder {
  /** The bytes of a ThumbHash in base64 (RFC 4648 section 4). */
  thumbHash: string;
  /** `#rrggbb`. */
  dominantColor: string;
}

export interface PlaceholderOrder {
  facts: MasterFacts;
  sourceBytes: number;
  /** Of the small picture, upright. */
  size: { width: number; height: number };
  /** The predicted peak, which the builder's ledger books. */
  peakBytes: number;
}

/** Fields are added, never renamed or removed (see build.ts). */
export type PlaceholderAnswer =
  | { ok: true; placeholder: Placeholder; peakBytes: number }
  /** Something runs here that does not wait for this, or began meanwhile: try later. */
  | { ok: false; code: "busy" }
  /** The picture cannot be decoded; trying again gives the same. */
  | { ok: false; code: "failed"; reason: string };

export type PlaceholderPlan = { ok: true; order: PlaceholderOrder } | { ok: false; reason: string };

/** True where the master is read as an animation, up to its first frame. */
export const isReadByFrame = ({ format, animated, frames }: MasterFacts): boolean =>
  format === "gif" ? frames !== 1 : animated && (format === "webp" || format === "png");

/** What to order of the builder; or why no placeholder can be made. */
export function planPlaceholder(facts: MasterFacts, sourceBytes: number): PlaceholderPlan {
  const size = sizeOf(facts);
  // Costs at least as much as what is done with the pixels instead.
  const spec: VariantSpec = { ...size, format: "png", quality: null, animated: false };
  const plan = isReadByFrame(facts)
    ? planFirstFrame(facts, sourceBytes, spec)
    : planVariant({ ...facts, frames: 1, animated: false }, sourceBytes, spec);
  if (!plan.ok) return { ok: false, reason: plan.reason };
  return { ok: true, order: { facts, sourceBytes, size, peakBytes: plan.peakBytes } };
}

/** Within what ThumbHash takes; never upscaled, but for a drawing, which has no pixels to begin with. */
function sizeOf({ width, height, format }: MasterFacts): { width: number; height: number } {
  const scale = PLACEHOLDER.sideMaxPixels / Math.max(width, height);
  if (scale >= 1 && format !== "svg") return { width, height };
  const scaled = (side: number): number => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height) };
}

/** However many frames there are: the others are not read. */
function planFirstFrame(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
): { ok: true; peakBytes: number } | { ok: false; reason: string } {
  if (sourceBytes > TRANSFORM.sourceMaxBytes) return { ok: false, reason: "the master is over 40 MB" };
  if (facts.codedWidth * facts.codedHeight > TRANSFORM.sourceMaxPixelsAllFrames)
    return { ok: false, reason: "a frame of the master is over 80 megapixels" };
  const bytes = firstFrameBytes(facts, sourceBytes, spec);
  const peakBytes = peakOf(bytes);
  if (!fitsIsolate(bytes)) return { ok: false, reason: `needs ${peakBytes} bytes of ${ISOLATE.buildBytes}` };
  return { ok: true, peakBytes };
}

const THUMB_HASH = /^[A-Za-z0-9+/]{8,40}={0,2}$/;
const COLOUR = /^#[0-9a-f]{6}$/;

/** Whether it is one: the builder parses strangers' files, so what it answers is looked at before it is stored. */
export const isPlaceholder = ({ thumbHash, dominantColor }: Placeholder): boolean =>
  THUMB_HASH.test(thumbHash) && COLOUR.test(dominantColor);
