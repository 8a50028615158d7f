/**
 * Draws every SVG of a folder as a variant, and compares it pixel by pixel with what Chromium draws of the file itself.
 * Prints for each subfolder how many are drawn, how many of these differ, and by how much at most; then the names and
 * reasons of those that differ, are refused or have no raster. Ends with an error where one differs.
 *
 *     node --import ./scripts/wasm/hooks.ts scripts/measure/svg-pictures.ts FOLDER
 *
 * The folder has a subfolder per program that wrote the files. Those that were tried came from repositories and npm
 * packages with files of Illustrator, Inkscape, Figma, Sketch, draw.io, D3, Mermaid and icon sets.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { SvgRejectedError } from "../../src/image/formats/svg/errors.ts";
import { sanitizeSvg } from "../../src/image/formats/svg/safe/sanitize.ts";
import { undrawable } from "../../src/image/formats/svg/work/cost.ts";
import { heightAt } from "../../src/image/geometry/grid.ts";
import type { Size } from "../../src/image/geometry/size.ts";
import { table } from "../bench/figures.ts";
import { findBrowser, shownBy } from "../harness/browsers.ts";
import { bitmap, order, partsOf } from "../harness/builds.ts";
import type { Bitmap } from "../harness/ssim.ts";

const WIDTH = 500;
/** The mean difference of a channel, of 255, from which on a drawing counts as another one. */
const DIFFERENT = 6;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name a folder of drawings.");
const command = findBrowser("chromium");
if (command === null) throw new Error("There is no Chromium here.");

interface Tried {
  name: string;
  size: Size;
  file: Buffer;
  drawn: Bitmap | null;
  /** The reason why it is refused or has no raster. */
  reason: string | null;
}

/** Draws a file of the folder. @throws Error for a bug of ours, which is no reason to draw nothing */
async function tried(name: string): Promise<Tried> {
  const file = readFileSync(join(folder!, name));
  const none = { name, file, size: { width: WIDTH, height: WIDTH }, drawn: null };
  try {
    const { document, facts } = sanitizeSvg(file);
    const size = { width: WIDTH, height: heightAt(WIDTH, facts) };
    const reason = undrawable(facts, size);
    if (reason !== null) return { ...none, reason: `no raster: ${reason}` };
    const ask = { width: WIDTH, format: "png", effort: "quick" } as const;
    const answer = await order(Buffer.from(document), ask, facts);
    if (!answer.ok) {
      if ("failure" in answer && answer.failure.code === "internal") throw new Error(JSON.stringify(answer));
      return { ...none, reason: JSON.stringify(answer) };
    }
    const { parts } = await partsOf(answer);
    return {
      ...none,
      size,
      drawn: await bitmap(sharp(Buffer.concat(parts)).flatten({ background: "#fff" }), 4),
      reason: null,
    };
  } catch (error) {
    if (!(error instanceof SvgRejectedError)) throw error;
    return { ...none, reason: String(error) };
  }
}

/** Returns a picture of a drawing at a size, on white, for a browser to draw. */
function framed({ file, size: { width, height } }: Tried): Buffer {
  const data = `data:image/svg+xml;base64,${file.toString("base64")}`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>` +
      `<image href="${data}" width="${width}" height="${height}" preserveAspectRatio="none"/></svg>`,
  );
}

/**
 * Writes the configuration of fonts with which Chromium has those of the builder alone. Every visitor's browser falls back
 * on other fonts, so letters of other fonts say nothing about the drawing.
 * @param folder where the configuration is written
 */
function onlyOurFonts(folder: string): string {
  const file = join(folder, "fonts.conf");
  const ours = new URL("../../dist/fonts", import.meta.url).pathname;
  writeFileSync(
    file,
    `<?xml version="1.0"?><fontconfig><dir>${ours}</dir><cachedir>${folder}</cachedir></fontconfig>`,
  );
  return file;
}

function meanDifference(one: Bitmap, other: Bitmap): number {
  if (one.width !== other.width || one.height !== other.height) return Infinity;
  let sum = 0;
  for (let at = 0; at < one.data.length; at++)
    if (at % 4 < 3) sum += Math.abs(one.data[at]! - other.data[at]!);
  return sum / (one.width * one.height * 3);
}

const all: Tried[] = [];
for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort())
  if (name.endsWith(".svg")) all.push(await tried(name));
const drawn = all.filter((one) => one.drawn !== null);
const fonts = mkdtempSync(join(tmpdir(), "silverprint-fonts-"));
process.env["FONTCONFIG_FILE"] = onlyOurFonts(fonts);
const shown = await shownBy(
  "chromium",
  command,
  drawn.map((one) => ({ type: "image/svg+xml", bytes: framed(one) })),
);
rmSync(fonts, { recursive: true });
const differences = new Map<Tried, number>();
drawn.forEach((one, i) => {
  const { bitmap: theirs } = shown[i]!;
  if (theirs) differences.set(one, meanDifference(one.drawn!, theirs));
  else one.reason = `Chromium does not show it: ${shown[i]!.error}`;
});

function row(title: string, some: readonly Tried[]): string[] {
  const differing = some.map((one) => differences.get(one)).filter((value) => value !== undefined);
  return [
    title,
    String(some.length),
    `${((100 * differing.length) / some.length).toFixed(1)} %`,
    String(differing.filter((value) => value >= DIFFERENT).length),
    Math.max(0, ...differing).toFixed(1),
  ];
}

const tools = [...new Set(all.map(({ name }) => dirname(name)))];
const heads = ["tool", "files", "drawn", `differ by ${DIFFERENT} and more`, "largest mean difference"];
const rows = tools.map((tool) =>
  row(
    tool,
    all.filter(({ name }) => dirname(name) === tool),
  ),
);
table([heads, ...rows, row("all", all)]);
for (const one of all) {
  const difference = differences.get(one) ?? 0;
  if (one.reason !== null) console.log(`${one.name}: ${one.reason}`);
  else if (difference >= DIFFERENT) console.log(`${one.name}: differs by ${difference.toFixed(1)}`);
}
process.exit([...differences.values()].some((value) => value >= DIFFERENT) ? 1 : 0);
