/**
 * Compares the builder's rasters of SVG files with Chromium's. Prints a table with a row per folder, and lists the
 * files that differ or have no raster. Ends with an error when a raster is wrong, or too few files have one.
 *
 *     node scripts/run.mjs scripts/measure/drawings.ts FOLDER [--keep FOLDER]
 *
 * FOLDER holds a folder of drawings per tool. --keep writes both pictures of each file that differs, side by side.
 */
import "../wasm/hooks.ts";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { table } from "../bench/figures.ts";
import { findBrowser } from "../harness/browsers.ts";
import { ChromiumDrawings } from "../harness/chromium-drawings.ts";
import type { Bitmap } from "../harness/ssim.ts";

const { planBuild } = await import("../../src/image/plan/plan.ts");
const { sanitizeSvg, SvgRejectedError } = await import("../../src/image/formats/svg/sanitize.ts");
const { bitmap, build, specFor } = await import("../harness/builds.ts");
const { onGround } = await import("../samples/svg.ts");

const WIDTH_PIXELS = 500;
/** The mean difference of all samples, of 255, from which on a raster is wrong. */
const WRONG_FROM = 6;
const DRAWN_LEAST_SHARE = 0.85;

interface Judged {
  folder: string;
  file: string;
  /** The mean difference; null when there is no raster. */
  difference: number | null;
  /** Why there is no raster. */
  reason: string;
}

/** The builder's raster on white, or the reason why there is none. */
async function drawn(file: Uint8Array): Promise<Bitmap | string> {
  try {
    const { document, facts } = sanitizeSvg(file);
    const master = Buffer.from(document);
    const ask = { width: WIDTH_PIXELS, format: "png", effort: "quick" } as const;
    const plan = planBuild(facts, master.length, specFor(facts, ask));
    if (!plan.ok) return `no raster: ${plan.reason}`;
    const { bytes } = await build(master, ask, facts);
    return onGround(await bitmap(sharp(bytes), 4), 255);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${error instanceof SvgRejectedError ? "refused" : "failed"}: ${reason}`;
  }
}

function meanDifference(a: Bitmap, b: Bitmap): number {
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += Math.abs(a.data[i]! - b.data[i]!);
  return sum / a.data.length;
}

async function keep(folder: string, name: string, pair: readonly Bitmap[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const pictures = pair.map(({ data, width, height }) => ({
    input: Buffer.from(data),
    raw: { width, height, channels: 3 as const },
  }));
  const { width, height } = pair[0]!;
  await sharp({ create: { width: 2 * width, height, channels: 3, background: "#fff" } })
    .composite(pictures.map((picture, i) => ({ ...picture, left: i * width, top: 0 })))
    .png()
    .toFile(join(folder, `${name}.png`));
}

async function judge(browser: ChromiumDrawings, folder: string, name: string): Promise<Judged> {
  const file = readFileSync(join(root, folder, name));
  const mine = await drawn(file);
  if (typeof mine === "string") return { folder, file: name, difference: null, reason: mine };
  const seen = await browser.draw(file, mine);
  if (!seen) return { folder, file: name, difference: null, reason: "Chromium does not show it" };
  const difference = meanDifference(mine, seen);
  if (difference >= WRONG_FROM && kept) await keep(kept, `${folder}-${name}`, [mine, seen]);
  return { folder, file: name, difference, reason: "" };
}

const [root = ""] = process.argv.slice(2);
const keepAt = process.argv.indexOf("--keep");
const kept = keepAt < 0 ? null : process.argv[keepAt + 1]!;
const command = findBrowser("chromium");
if (root === "" || command === null) {
  console.error(root === "" ? "Name a folder with a folder of drawings per tool." : "There is no Chromium.");
  process.exit(1);
}

const browser = await ChromiumDrawings.open(command);
const judged: Judged[] = [];
for (const folder of readdirSync(root).sort()) {
  for (const name of readdirSync(join(root, folder)).sort()) {
    if (name.endsWith(".svg")) judged.push(await judge(browser, folder, name));
  }
}
await browser.close();

const isDrawn = ({ difference }: Judged): boolean => difference !== null;
const isWrong = ({ difference }: Judged): boolean => (difference ?? 0) >= WRONG_FROM;
function rowOf(name: string, list: readonly Judged[]): string[] {
  const differences = list.map(({ difference }) => difference ?? 0);
  return [
    name,
    String(list.length),
    `${((100 * list.filter(isDrawn).length) / list.length).toFixed(1)} %`,
    String(list.filter(isWrong).length),
    Math.max(...differences).toFixed(1),
  ];
}
const folders = [...new Set(judged.map(({ folder }) => folder))];
table([
  ["tool", "files", "drawn", `differ by ${WRONG_FROM} and more`, "largest mean difference"],
  ...folders.map((name) =>
    rowOf(
      name,
      judged.filter(({ folder }) => folder === name),
    ),
  ),
  rowOf("all", judged),
]);
for (const { folder, file, difference, reason } of judged) {
  if (difference === null) console.log(`${folder}/${file}: ${reason}`);
  else if (difference >= WRONG_FROM) console.log(`${folder}/${file}: differs by ${difference.toFixed(1)}`);
}
const share = judged.filter(isDrawn).length / judged.length;
process.exit(judged.some(isWrong) || share < DRAWN_LEAST_SHARE ? 1 : 0);
