/**
 * `npm run bench matrix`: builds variants of every format in several widths from every kind of master in several sizes,
 * and measures memory and time. Each cell is stored when it is measured. The README's table and the charts are drawn at
 * the end.
 *
 *     npm run bench matrix                                     measures everything in 20 minutes
 *     npm run bench matrix -- --missing                        measures what results.json lacks, after an interruption
 *     npm run bench matrix -- --masters=webp,avif --formats=avif
 *     npm run bench matrix -- --draw                           draws without measuring
 *
 * It ends with an error when a cell is a defect: planned and not built, over its plan, or unlike sharp's pixels.
 */
import { probe } from "../harness/probe-run.ts";
import { cellsOf, keyOf, type Cell, type Result } from "./matrix/cells.ts";
import { measureChain } from "./matrix/chain.ts";
import { defectOf } from "./matrix/defects.ts";
import { draw } from "./matrix/draw.ts";
import { MASTERS, type MasterKind } from "./matrix/masters.ts";
import { measure, References } from "./matrix/measure.ts";
import { readResults, writeResults, type Results } from "./matrix/results.ts";
import { mb, ms } from "./figures.ts";
import type { Megapixels } from "./masters.ts";
import { onOneCore } from "./one-core.ts";
import { byBuilder, newBuildMemory, workOf } from "./pixels-work.ts";

const ALL_CELLS = MASTERS.flatMap((kind) => kind.megapixels.flatMap((mp) => cellsOf(kind, mp)));

interface Options {
  masters: Set<string> | null;
  formats: Set<string> | null;
  missing: boolean;
  draw: boolean;
}

function optionsOf(flags: string[]): Options {
  const options: Options = { masters: null, formats: null, missing: false, draw: false };
  for (const flag of flags) {
    const [name, list = ""] = flag.split("=");
    if (name === "--masters") options.masters = new Set(list.split(","));
    else if (name === "--formats") options.formats = new Set(list.split(","));
    else if (name === "--missing") options.missing = true;
    else if (name === "--draw") options.draw = true;
    else throw new Error(`Unknown flag of the matrix: ${flag}`);
  }
  return options;
}

/** Warm-up builds, after which V8 has optimised the codecs. */
async function warmUp(): Promise<void> {
  const shop = newBuildMemory();
  for (const kind of MASTERS.filter(({ name }) => name !== "avif-grid")) {
    const file = await kind.make(kind.megapixels[0]!);
    for (const to of ["jpeg", "png", "webp", "avif"] as const) {
      for (let i = 0; i < 3; i++) await byBuilder(shop, workOf(file, 500, to)).catch(() => undefined);
    }
  }
}

function line(result: Result): string {
  const defect = defectOf(result);
  const head = `${keyOf(result).padEnd(34)} ${defect ? `DEFECT ${defect} ` : ""}`;
  if (result.outcome === "failed") return `${head}${defect ? "" : result.reason}`;
  if (result.outcome !== "built") {
    return `${head}${result.outcome}: ${result.reason}${result.forced === "built" ? ", but was built" : ""}`;
  }
  const ratio = result.toSharp === null ? "" : `, ${result.toSharp.toFixed(2)} of sharp`;
  const bytes = `${mb(result.peakBytes)} of ${mb(result.predictedBytes)}`;
  return `${head}${ms(result.ms)}${ratio}, ${bytes}, ${result.psnr ?? "∞"} dB`;
}

async function measureMaster(
  results: Results,
  kind: MasterKind,
  megapixels: Megapixels,
  cells: Cell[],
): Promise<void> {
  const file = await kind.make(megapixels);
  const master = { file, facts: probe(file) };
  const references = new References(master);
  const shop = newBuildMemory();
  for (const cell of cells) {
    const result = await measure(shop, cell, master, references);
    console.log(line(result));
    results.cells = [...results.cells.filter((other) => keyOf(other) !== keyOf(cell)), result];
    writeResults(results, ALL_CELLS);
  }
}

async function measureAll(results: Results, wanted: Cell[]): Promise<void> {
  await warmUp();
  for (const kind of MASTERS) {
    for (const megapixels of kind.megapixels) {
      const cells = wanted.filter((cell) => cell.master === kind.name && cell.megapixels === megapixels);
      if (cells.length > 0) await measureMaster(results, kind, megapixels, cells);
    }
  }
}

export async function benchMatrix(flags: string[]): Promise<void> {
  const { masters, formats, missing, draw: onlyDraw } = optionsOf(flags);
  const results = readResults();
  if (!onlyDraw) {
    const known = new Set(missing ? results.cells.map(keyOf) : []);
    const wanted = ALL_CELLS.filter(
      (cell) =>
        !known.has(keyOf(cell)) && (masters?.has(cell.master) ?? true) && (formats?.has(cell.format) ?? true),
    );
    await onOneCore(() => measureAll(results, wanted));
    if (!masters && !formats && (!missing || results.chain.length === 0)) {
      results.chain = await measureChain();
      writeResults(results, ALL_CELLS);
    }
  }
  await draw(readResults());
  const defects = results.cells.filter((result) => defectOf(result) !== null);
  if (defects.length > 0) throw new Error(`${defects.length} defects:\n${defects.map(line).join("\n")}`);
}
