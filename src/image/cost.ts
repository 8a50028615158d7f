/** What a build costs in bytes and work, by codec path. Figures: measured on jSquash's codecs (`npm run bench`). */
import type { MasterFacts } from "./master.ts";
import type { Lane } from "./plan.ts";
import type { VariantSpec } from "./variant.ts";

export type Cost = { supported: true; peakBytes: number; lane: Lane } | { supported: false; reason: string };

export function estimate(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): Cost {
  if (spec.animated || facts.animated) return { supported: false, reason: "animations are not transformed yet" };
  if (facts.format === "gif" || facts.format === "svg" || spec.format === "gif") {
    return { supported: false, reason: `${facts.format} masters are not transformed yet` };
  }
  const sourcePixels = facts.codedWidth * facts.codedHeight;
  const outputPixels = spec.width * spec.height;
  const peakBytes = sourceBytes + sourcePixels * 8 + outputPixels * 30;
  return { supported: true, peakBytes, lane: sourcePixels + 8 * outputPixels < 6e6 ? "light" : "heavy" };
}
