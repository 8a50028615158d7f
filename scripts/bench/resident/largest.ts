/** Finds, for a kind of master, the build of each format that takes the most memory by its plan. */
import { DELIVERY } from "../../../src/limits.ts";
import { QUALITIES, takesQuality, type VariantSpec } from "../../../src/image/model/variant.ts";
import { OUTPUT_FORMATS } from "../../../src/image/formats/registry.ts";
import { heightAt } from "../../../src/image/geometry/grid.ts";
import type { MasterFacts } from "../../../src/image/model/facts.ts";
import type { PlannedMemory } from "../../../src/image/plan/build-plan.ts";
import { planBuild } from "../../../src/image/plan/plan.ts";
import { probe } from "../../harness/probe-run.ts";
import type { MasterKind } from "../masters/kinds.ts";
import type { Megapixels } from "../masters/photographs.ts";

type Format = VariantSpec["format"];

/** GIF is only for animations. */
export const FORMATS: readonly Format[] = [...OUTPUT_FORMATS, "gif"];

export interface LargestBuild {
  megapixels: Megapixels;
  file: Buffer;
  format: Format;
  /** The query of the request that asks for it. */
  query: string;
  memory: PlannedMemory;
}

/**
 * Returns the largest build of each format, among those with one of `widths`. The master is the largest of its kind
 * from which the format is built, because no part of a build takes less memory for a larger master.
 */
export async function largestBuilds(
  kind: MasterKind,
  formats: readonly Format[] = FORMATS,
  widths: readonly number[] = DELIVERY.widthGridPixels,
): Promise<LargestBuild[]> {
  const found: LargestBuild[] = [];
  for (const megapixels of kind.megapixels.toReversed()) {
    const missing = formats.filter((format) => !found.some((build) => build.format === format));
    if (missing.length === 0) break;
    const file = await kind.make(megapixels);
    const facts = probe(file);
    for (const format of missing) {
      const build = largestOf(facts, file, format, widths);
      if (build) found.push({ megapixels, file, format, ...build });
    }
  }
  return found;
}

type Planned = Pick<LargestBuild, "query" | "memory">;

function largestOf(
  facts: MasterFacts,
  file: Buffer,
  format: Format,
  widths: readonly number[],
): Planned | null {
  const planned = widths.flatMap((width) =>
    (takesQuality(format) ? QUALITIES : [null]).flatMap((quality): Planned[] => {
      const out = facts.format === "svg" ? width : Math.min(width, facts.width);
      const size = { width: out, height: heightAt(out, facts) };
      const plan = planBuild(facts, file.length, { ...size, format, quality, animated: facts.animated });
      if (!plan.ok) return [];
      // An animated GIF stays one unless another format is asked for.
      const asked = format === "gif" ? "" : `&fm=${format}`;
      const query = `w=${width}${asked}${quality === null ? "" : `&q=${quality}`}`;
      return [{ query, memory: plan.memory }];
    }),
  );
  return planned.reduce<Planned | null>(
    (most, one) => (one.memory.peak > (most?.memory.peak ?? 0) ? one : most),
    null,
  );
}
