/**
 * Builds variants of every file of a folder with this checkout, and writes a hash of each:
 *
 *     node scripts/run.mjs scripts/measure/variant-hashes.ts MASTERS HASHES.json
 *
 * same-bytes.ts runs it in two checkouts and compares what they write. It imports nothing but the program, because it
 * must run in a checkout of another day.
 */
import "../wasm/hooks.ts";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BuiltPart } from "../../src/image/protocol/build.ts";
import type { MasterFacts } from "../../src/image/model/facts.ts";
import type { Quality, VariantSpec } from "../../src/image/model/variant.ts";
import type { VariantFormat } from "../../src/image/formats/registry.ts";

const { take, takePlaceholder } = await import("../harness/builds.ts");
const { createProbe } = await import("../../src/image/formats/probe.ts");
const { sanitizeSvg } = await import("../../src/image/formats/svg/safe/sanitize.ts");
const { heightAt } = await import("../../src/image/geometry/grid.ts");
const { planBuild } = await import("../../src/image/plan/plan.ts");
const { planPlaceholder } = await import("../../src/image/plan/plan-placeholder.ts");
const { orderFor, placeholderOrderFor } = await import("../../src/image/protocol/order.ts");

/** Masters of more pixels get `LARGE_VARIANTS` only: a slow build is done once in each way. */
const LARGE_MASTER_PIXELS = 2_000_000;
const WIDTHS = [40, 236];
const QUALITIES: Quality[] = [80, 95];
const LARGE_VARIANTS: [format: VariantFormat, quality: Quality | null, width: number][] = [
  ["jpeg", 80, 2560],
  ["jpeg", 95, 1600],
  ["webp", 80, 2560],
  ["webp", 95, 500],
  ["png", null, 1600],
  ["avif", 80, 2560],
];

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function factsOf(file: Uint8Array): MasterFacts {
  const probe = createProbe();
  probe.push(Uint8Array.from(file));
  return probe.finish();
}

/** Returns the variants to build, by name. */
function specsOf(facts: MasterFacts): [name: string, spec: VariantSpec][] {
  const specs: [string, VariantSpec][] = [];
  const add = (format: VariantFormat, quality: Quality | null, width: number, animated: boolean): void => {
    const size = { width, height: heightAt(width, facts) };
    const name = `${animated ? "animated " : ""}${format} w=${width}${quality ? ` q=${quality}` : ""}`;
    specs.push([name, { ...size, format, quality, animated }]);
  };
  if (facts.codedWidth * facts.codedHeight > LARGE_MASTER_PIXELS) {
    for (const [format, quality, width] of LARGE_VARIANTS) add(format, quality, width, false);
    return specs;
  }
  const widths = new Set([...WIDTHS, facts.width].filter((width) => width <= facts.width));
  for (const width of widths) {
    for (const quality of QUALITIES) {
      for (const format of ["jpeg", "webp", "avif"] as const) add(format, quality, width, false);
      if (facts.animated) add("webp", quality, width, true);
    }
    add("png", null, width, false);
    if (facts.format === "gif") add("gif", null, width, facts.animated);
  }
  return specs;
}

/** Returns the whole file of a variant, hashed; or the code of the answer that is none. */
async function built(file: Uint8Array, facts: MasterFacts, spec: VariantSpec): Promise<string> {
  const plan = planBuild(facts, file.length, spec);
  if (!plan.ok) return plan.refusal;
  const answer = await take(orderFor(facts, file.length, spec, plan), file);
  if (!answer.ok) return answer.code;
  const bytes: Uint8Array[] = [];
  for (let part: BuiltPart = answer; ;) {
    bytes.push(new Uint8Array(await new Response(part.body).arrayBuffer()));
    if (part.facts) return hashOf(Buffer.concat(bytes));
    const next = await answer.rest!.next();
    if (!next.ok) return next.code;
    part = next;
  }
}

async function placeholder(file: Uint8Array, facts: MasterFacts): Promise<string> {
  const plan = planPlaceholder(facts, file.length);
  if (!plan.ok) return "no plan";
  const answer = await takePlaceholder(placeholderOrderFor(facts, file.length, plan), file);
  return answer.ok ? Object.values(answer.placeholder).join(" ") : answer.code;
}

async function hashesOf(folder: string): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const uploaded = new Uint8Array(readFileSync(join(folder, name)));
    try {
      const facts = factsOf(uploaded);
      const isSvg = facts.format === "svg";
      const file = isSvg ? Buffer.from(sanitizeSvg(uploaded).document) : uploaded;
      if (isSvg) hashes[`${name}: sanitized`] = hashOf(file);
      hashes[`${name}: facts`] = JSON.stringify(facts);
      hashes[`${name}: placeholder`] = await placeholder(file, facts);
      for (const [variant, spec] of specsOf(facts))
        hashes[`${name}: ${variant}`] = await built(file, facts, spec);
    } catch (error) {
      hashes[`${name}: error`] = String(error);
    }
  }
  return hashes;
}

const [masters = "", target = ""] = process.argv.slice(2);
writeFileSync(target, JSON.stringify(await hashesOf(masters), null, 2));
