/**
 * Plans a build: whether a variant can be built, in which lane, how, and in how many bytes. Pure, shared by both
 * Workers. Times are estimated from pixel counts, because a deployed Worker's clock stands still while it computes.
 */
import { ISOLATE, MEGAPIXEL_PIXELS, TRANSFORM } from "../../limits.ts";
import { decodingOf } from "../formats/decodings.ts";
import { stillEncodingOf } from "../formats/encodings.ts";
import { variantTraits } from "../formats/registry.ts";
import { fitsIsolate } from "../memory/isolate.ts";
import { mayBeTransparent } from "../model/background.ts";
import type { MasterFacts } from "../model/facts.ts";
import { unpadded, type VariantSpec } from "../model/variant.ts";
import type { BuildPlan, Refusal, Refused } from "./build-plan.ts";
import { planAnimation } from "./plan-animation.ts";
import { planStill } from "./plan-still.ts";

export type PlannedBuild = ({ ok: true } & BuildPlan) | Refused;

const refuse = (refusal: Refusal, reason: string): Refused => ({ ok: false, refusal, reason });

/**
 * Plans the build of `spec` from a master of `sourceBytes` bytes, or says why it cannot be built.
 * @param isAwaited whether a visitor waits: a still is then encoded quickly if it would not be there in time otherwise
 */
export function planBuild(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
  isAwaited = false,
): PlannedBuild {
  const excess = excessOf(facts, sourceBytes, spec);
  if (excess !== null) return refuse("over-limit", excess);
  const { maxSidePixels } = variantTraits(spec.format);
  if (Math.max(spec.width, spec.height) > maxSidePixels) {
    return refuse(
      "not-supported",
      `decoders of ${spec.format} take sides of ${maxSidePixels} pixels at most`,
    );
  }
  const plan = planUnbounded(facts, sourceBytes, spec, isAwaited);
  if (!plan.ok || fitsIsolate(plan.memory)) return plan;
  const peakBytes = plan.memory.peak;
  const reason = `needs ${peakBytes} bytes of ${ISOLATE.buildBytes}`;
  return { ...refuse("too-large-for-isolate", reason), peakBytes };
}

/** Plans a build without looking at the limits. */
export function planUnbounded(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
  isAwaited = false,
): PlannedBuild {
  const encoding = stillEncodingOf(spec.format);
  if (spec.animated || facts.animated || encoding === null) {
    const plan = planAnimation(facts, sourceBytes, spec);
    return "unsupported" in plan ? refuse("not-supported", plan.unsupported) : { ok: true, ...plan };
  }
  const reason = decodingOf(facts).unsupported(facts, unpadded(spec));
  if (reason !== null) return refuse("not-supported", reason);
  return { ok: true, ...planStill(facts, sourceBytes, spec, encoding, isAwaited) };
}

/** Names the limit of masters or variants that is exceeded (RULES 9.4, 9.5); null for none. */
function excessOf(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): string | null {
  const frames = facts.frames ?? 1;
  const sourcePixels = facts.codedWidth * facts.codedHeight * frames;
  const outputPixels = spec.width * spec.height;
  if (sourceBytes > TRANSFORM.sourceMaxBytes) return "the master is over 40 MB";
  if (sourcePixels > TRANSFORM.sourceMaxPixelsAllFrames) return "the master is over 80 megapixels";
  if (frames > TRANSFORM.sourceMaxFrames) return "the master has over 100 frames";
  const { maxPixels } = variantTraits(spec.format);
  for (const most of [
    TRANSFORM.outputMaxPixels,
    maxPixels[mayBeTransparent(facts, spec) ? "alpha" : "opaque"],
  ]) {
    if (outputPixels > most) return `the variant is over ${most / MEGAPIXEL_PIXELS} megapixels`;
  }
  return null;
}
