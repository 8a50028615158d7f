/**
 * Plans a build: whether a variant can be built, in which lane, how, and in how many bytes. Pure, shared by both
 * Workers. Times are estimated from pixel counts, because a deployed Worker's clock stands still while it computes.
 */
import { ISOLATE, TRANSFORM } from "../../limits.ts";
import { undrawable } from "../formats/svg/work/cost.ts";
import { fitsIsolate } from "../memory/isolate.ts";
import type { MasterFacts } from "../model/facts.ts";
import type { VariantSpec } from "../model/variant.ts";
import type { BuildPlan, Refusal, Refused } from "./build-plan.ts";
import { drawnFor } from "./cost-decode.ts";
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
  const maxSidePixels = TRANSFORM.outputMaxSidePixels[spec.format];
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

/** Plans a build without looking at the limits. The builder does this for an order that has no plan. */
export function planUnbounded(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
  isAwaited = false,
): PlannedBuild {
  if (spec.animated || facts.animated || spec.format === "gif") {
    const plan = planAnimation(facts, sourceBytes, spec);
    return "unsupported" in plan ? refuse("not-supported", plan.unsupported) : { ok: true, ...plan };
  }
  const reason = unsupported(facts, spec);
  if (reason !== null) return refuse("not-supported", reason);
  return { ok: true, ...planStill(facts, sourceBytes, spec, isAwaited) };
}

/** The limit of masters or variants that is exceeded (RULES 9.4, 9.5); null for none. */
function excessOf(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): string | null {
  const frames = facts.frames ?? 1;
  const sourcePixels = facts.codedWidth * facts.codedHeight * frames;
  const outputPixels = spec.width * spec.height;
  if (sourceBytes > TRANSFORM.sourceMaxBytes) return "the master is over 40 MB";
  if (sourcePixels > TRANSFORM.sourceMaxPixelsAllFrames) return "the master is over 80 megapixels";
  if (frames > TRANSFORM.sourceMaxFrames) return "the master has over 100 frames";
  if (outputPixels > TRANSFORM.outputMaxPixels) return "the variant is over 32 megapixels";
  const isNarrow = spec.format === "avif" || (spec.format === "webp" && facts.hasAlpha);
  const isOver = isNarrow && outputPixels > TRANSFORM.outputMaxPixelsAvifOrAlphaWebp;
  return isOver ? "the variant is over 16 megapixels" : null;
}

function unsupported(facts: MasterFacts, spec: VariantSpec): string | null {
  if (facts.format === "jpeg" && facts.unsupported !== null) {
    return `JPEG of the kind "${facts.unsupported}" is not decoded`;
  }
  return facts.format === "svg" ? undrawable(facts, drawnFor(facts, spec)) : null;
}
