/**
 * `npm run bench -- page [--publish]`: what scripts/bench/README.md shows, in one run: speed and memory on one core, each
 * side in a process of its own, then bytes at equal quality. `--publish` writes the page and its charts. Speed is
 * published only on a machine that is quiet; memory and bytes do not depend on that.
 *
 *     --parts=speed,memory,bytes   the parts that are printed and published
 *     --photos=FOLDER              photographs for `bytes`; the default is the folder that BENCH_PHOTOS names
 *     --most=N                     takes at most N of these photographs
 *     --short                      small works, one round, and one photograph: shows in minutes that everything runs
 *     --to=FOLDER                  writes the page and its charts there
 */
import { availableParallelism, loadavg } from "node:os";
import { pathToFileURL } from "node:url";
import { chartElement, publishSection, writeChart } from "../publish.ts";
import { bytesPart } from "./bytes.ts";
import { type Extent, measure, type Results } from "./measure.ts";
import { onOneCore } from "./one-core.ts";
import { memoryChart, memoryRows, speedChart, speedRows } from "./tables.ts";
import { tableText } from "../figures.ts";
import { LINES, SHORT, type Line } from "./works.ts";

export interface Part {
  /** Markdown: a table. */
  text: string;
  alt: string;
  chart: Record<"light" | "dark", string>;
}

const PARTS = ["speed", "memory", "bytes"] as const;
type PartName = (typeof PARTS)[number];

const valueOf = (flags: readonly string[], name: string): string | undefined =>
  flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);

/** @throws Error for a part that there is not */
function partsOf(flags: readonly string[]): readonly PartName[] {
  const named = valueOf(flags, "parts")?.split(",");
  return (named ?? PARTS).map((name) => {
    const part = PARTS.find((one) => one === name);
    if (part === undefined) throw new Error(`bench page: no part ${name}`);
    return part;
  });
}

const isBusy = (): boolean => (loadavg()[0] ?? 0) > availableParallelism() / 2;

async function speedAndMemory(lines: readonly Line[], extent: Extent): Promise<[Line, Results][]> {
  const results: [Line, Results][] = [];
  await onOneCore(async (core) => {
    if (core === null) throw new Error("taskset is missing: the sides would not have the same processor");
    for (const line of lines) {
      results.push([line, await measure(line, extent)]);
      console.error(`measured: ${line.name}`);
    }
  });
  return results;
}

export async function benchPage(flags: readonly string[]): Promise<void> {
  const parts = partsOf(flags);
  const isShort = flags.includes("--short");
  const to = valueOf(flags, "to");
  const page = to === undefined ? undefined : pathToFileURL(`${to}/`);
  const wasBusy = isBusy();
  const show = async (name: PartName, part: Part): Promise<void> => {
    console.log(`\n### ${name}\n\n${part.text}`);
    if (!flags.includes("--publish")) return;
    if (name === "speed" && (wasBusy || isBusy()) && to === undefined) {
      throw new Error("Speed is not published: the machine was busy with other programs");
    }
    for (const mode of ["light", "dark"] as const) writeChart(`${name}-${mode}.svg`, part.chart[mode], page);
    await publishSection(name, `${chartElement(name, part.alt)}\n\n${part.text}`, page);
  };
  if (parts.includes("memory") || parts.includes("speed")) {
    const extent = !parts.includes("speed") ? "memory" : isShort ? "short" : "full";
    const results = await speedAndMemory(isShort ? SHORT : LINES, extent);
    const alt = {
      speed: "The time of each side, as a multiple of sharp's",
      memory: "The memory of each side, in megabytes",
    };
    if (parts.includes("memory"))
      await show("memory", {
        text: tableText(memoryRows(results)),
        alt: alt.memory,
        chart: memoryChart(results),
      });
    if (parts.includes("speed"))
      await show("speed", {
        text: tableText(speedRows(results)),
        alt: alt.speed,
        chart: speedChart(results),
      });
  }
  if (!parts.includes("bytes")) return;
  const most = Number(valueOf(flags, "most") ?? (isShort ? 1 : Infinity));
  const photos = valueOf(flags, "photos") ?? process.env["BENCH_PHOTOS"];
  await show("bytes", await bytesPart({ photos, most, isShort }));
}
