/** Makes the builder's orders from plans. */
import type { MasterFacts } from "../model/facts.ts";
import { ENCODER_VERSION, type VariantSpec } from "../model/variant.ts";
import type { BuildPlan, PlaceholderPlan } from "../plan/build-plan.ts";
import type { BuildOrder } from "./build.ts";
import type { PlaceholderOrder } from "./placeholder.ts";

export const orderFor = (
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
  plan: BuildPlan,
): BuildOrder => ({
  spec,
  facts,
  sourceBytes,
  peakBytes: plan.memory.peak,
  plan,
  encoderVersion: ENCODER_VERSION,
});

export const placeholderOrderFor = (
  facts: MasterFacts,
  sourceBytes: number,
  plan: PlaceholderPlan,
): PlaceholderOrder => ({ facts, sourceBytes, size: plan.size, peakBytes: plan.memory.peak, plan });
