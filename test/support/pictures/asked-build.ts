/** Builds what a request asks for: decided as the edge does, and ordered as the queue does. */
import { allowedVariants } from "../../../src/edge/delivery/choose.ts";
import { framingOf } from "../../../src/edge/delivery/framing.ts";
import type { MasterFacts } from "../../../src/image/model/facts.ts";
import type { VariantSpec } from "../../../src/image/model/variant.ts";
import { parsePictureParameters } from "../../../src/image/parameters/read.ts";
import { orderFor } from "../../../src/image/protocol/order.ts";
import { partsOf, planFor, quickened, take } from "../../../scripts/harness/builds.ts";
import { probe } from "../../../scripts/harness/probe-run.ts";
import { CROP } from "../../../src/limits.ts";

export interface AskedBuild {
  bytes: Buffer;
  spec: VariantSpec;
  predictedBytes: number;
  peakBytes: number;
}

/** Returns the first variant that the query allows, in a space that lists `backgrounds`. */
export function askedSpec(
  facts: MasterFacts,
  query: string,
  backgrounds: readonly string[] = [],
): VariantSpec {
  const asked = parsePictureParameters(new URLSearchParams(query));
  const { background } = asked;
  const all = background === null ? backgrounds : [...backgrounds, background];
  const framing = framingOf(asked, {
    aspectRatios: CROP.aspectRatiosDefault,
    backgrounds: all,
    focalPoint: null,
  });
  const [spec] = allowedVariants(
    facts,
    asked,
    framing,
    { avif: false, webp: false },
    { metadata: "none", gamut: "srgb" },
  );
  if (!spec) throw new Error(`${query} is answered by the master`);
  return spec;
}

/** Builds the first variant that the query allows. PNGs are encoded quickly: they are read for their pixels. */
export async function buildAsked(
  file: Uint8Array,
  query: string,
  facts: MasterFacts = probe(file),
): Promise<AskedBuild> {
  const spec = askedSpec(facts, query);
  const plan = planFor(facts, file.length, spec);
  const isQuick = plan.kind === "still" && plan.encoder.name === "png-rows";
  const answer = await take(orderFor(facts, file.length, spec, isQuick ? quickened(plan) : plan), file);
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  const { parts, facts: built } = await partsOf(answer);
  return { bytes: Buffer.concat(parts), spec, predictedBytes: plan.memory.peak, peakBytes: built.peakBytes };
}
