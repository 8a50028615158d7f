/**
 * `npm run bench resident [-- --masters=jpeg,avif] [--formats=png]`: what the builder's process grows to, through what
 * npm start starts. For each kind of master that the matrix knows and each format a new process, and in it, one after
 * the other, ten variants of the largest such master that can be built. Ends with an error when one grows by more than
 * an isolate has.
 */
import { specFor } from "../../test/support/builds.ts";
import { probe } from "../../test/support/probe-run.ts";
import { variantOf } from "../../test/support/api.ts";
import { planVariant } from "../../src/image/plan.ts";
import { OUTPUT_FORMATS, type OutputFormat } from "../../src/image/variant.ts";
import { DELIVERY, ISOLATE } from "../../src/limits.ts";
import { mb, table } from "./figures.ts";
import type { Megapixels } from "./masters.ts";
import { FORMAT_LABELS } from "./matrix/labels.ts";
import { MASTERS, type MasterKind } from "./matrix/masters.ts";
import { spaceWith, whileRunning } from "./running.ts";

const IN_A_ROW = 10;
const QUALITIES = [80, 90, 95, 100] as const;

interface Row {
  megapixels: Megapixels;
  file: Buffer;
  queries: string[];
}

/** Different variants that the plan allows, the widest first: what grows after them is never given back. */
function variantsOf(file: Buffer, format: OutputFormat): string[] {
  const facts = probe(file);
  const widths = DELIVERY.widthGridPixels.filter((width) => width <= facts.width || facts.format === "svg");
  if (!widths.some((width) => width >= facts.width)) widths.push(8192);
  const queries: string[] = [];
  for (const quality of format === "png" ? ([80] as const) : QUALITIES) {
    for (const width of widths.toReversed()) {
      const spec = specFor(facts, { width: Math.min(width, facts.width), format, quality });
      if (planVariant(facts, file.length, spec).ok) queries.push(`w=${width}&fm=${format}&q=${quality}`);
    }
  }
  return queries.slice(0, IN_A_ROW);
}

/** The largest master of a kind of which a format can be built at all. */
async function largest(kind: MasterKind, format: OutputFormat): Promise<Row | null> {
  for (const megapixels of kind.megapixels.toReversed()) {
    const file = await kind.make(megapixels);
    const queries = variantsOf(file, format);
    if (queries.length > 0) return { megapixels, file, queries };
  }
  return null;
}

/** How far a new process has grown at its peak, after the first build and the last; null where nothing can be built. */
async function growthOf(kind: MasterKind, format: OutputFormat): Promise<string | null> {
  const row = await largest(kind, format);
  if (!row) return null;
  const grown: number[] = [];
  await whileRunning(async (running) => {
    const { space, ids } = await spaceWith(running.service, [row.file]);
    for (const query of row.queries) {
      await variantOf(space, ids[0] ?? "", query);
      grown.push(running.growthBytes());
    }
  });
  // Peaks: they only rise.
  const [one, last] = [Math.min(...grown), Math.max(...grown)];
  if (last > ISOLATE.totalBytes) over.push(`${kind.label} to ${FORMAT_LABELS[format]}`);
  return `${mb(one)} → ${mb(last)} (${row.queries.length} of ${row.megapixels} MP)`;
}

const over: string[] = [];

/** What follows `--name=` in the flags, at its commas. */
const listOf = (flags: string[], name: string): string[] | undefined =>
  flags
    .find((flag) => flag.startsWith(`--${name}=`))
    ?.split("=")[1]
    ?.split(",");

export async function benchResident(flags: string[]): Promise<void> {
  const [masters, formats] = [listOf(flags, "masters"), listOf(flags, "formats")];
  const columns = OUTPUT_FORMATS.filter((format) => formats?.includes(format) ?? true);
  const rows = [["master", ...columns.map((format) => FORMAT_LABELS[format])]];
  for (const kind of MASTERS.filter(({ name }) => masters?.includes(name) ?? true)) {
    const cells: string[] = [];
    for (const format of columns) {
      cells.push((await growthOf(kind, format)) ?? "–");
      console.log(`${kind.label} to ${FORMAT_LABELS[format]}: ${cells.at(-1)}`);
    }
    rows.push([kind.label, ...cells]);
  }
  console.log("\nPeak resident size of the builder's process over what it held before its first build:\n");
  table(rows);
  if (over.length > 0) throw new Error(`more than an isolate has: ${over.join(", ")}`);
}
