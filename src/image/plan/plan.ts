/**
 * The plan: whether a variant can be built, in which lane, and in how many bytes. Pure, shared by both Workers.
 * Costs come from pixel counts alone: a deployed Worker's clock stands still while it computes.
 */
import { ISOLATE, TRANSFORM } from "../../limits.ts";
import { estimate } from "./plan-still.ts";
import type { MasterFacts } from "../model/facts.ts";
import { type BuildBytes, fitsIsolate } from "../memory/isolate.ts";
import type { VariantSpec } from "../model/variant.ts";

export type Lane = "light" | "heavy";

/** Why there is no plan. Only what is inside the limits lets auto=format fall through (completion §5). */
export type Refusal =
  /** Over a source or output limit of interface §8. */
  | "over-limit"
  /** Inside the limits, but no codec path builds it. */
  | "not-supported"
  /** Inside the limits, but the predicted peak does not fit one isolate. */
  | "too-large-for-isolate";

export type Plan =
  | { ok: true; lane: Lane; peakBytes: number; bytes: BuildBytes }
  | { ok: false; refusal: Refusal; reason: string; peakBytes?: number };

const refuse = (refusal: Refusal, reason: string): Plan => ({ ok: false, refusal, reason });

/** Predicts the build of `spec` from a master of `sourceBytes` bytes. */
export function planVariant(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): Plan {
  const frames = facts.frames ?? 1;
  const sourcePixels = facts.codedWidth * facts.codedHeight * frames;
  const outputPixels = spec.width * spec.height;
  if (sourceBytes > TRANSFORM.sourceMaxBytes) return refuse("over-limit", "the master is over 40 MB");
  if (sourcePixels > TRANSFORM.sourceMaxPixelsAllFrames)
    return refuse("over-limit", "the master is over 80 megapixels");
  if (frames > TRANSFORM.sourceMaxFrames) return refuse("over-limit", "the master has over 100 frames");
  if (outputPixels > TRANSFORM.outputMaxPixels)
    return refuse("over-limit", "the variant is over 32 megapixels");
  const narrow = spec.format === "avif" || (spec.format === "webp" && facts.hasAlpha);
  if (narrow && outputPixels > TRANSFORM.outputMaxPixelsAvifOrAlphaWebp) {
    return refuse("over-limit", "the variant is over 16 megapixels");
  }
  const cost = estimate(facts, sourceBytes, spec);
  if (!cost.supported) return refuse("not-supported", cost.reason);
  if (!fitsIsolate(cost.bytes)) {
    const reason = `needs ${cost.peakBytes} bytes of ${ISOLATE.buildBytes}`;
    return { ok: false, refusal: "too-large-for-isolate", reason, peakBytes: cost.peakBytes };
  }
  return { ok: true, lane: cost.lane, peakBytes: cost.peakBytes, bytes: cost.bytes };
}
