/**
 * Has other decoders read our AVIF files of every kind, size, quality and effort: dav1d, libaom and libgav1 by avifdec,
 * sharp, Chromium and Firefox. The decoders of avifdec must agree in every pixel. The others turn colours into RGB in
 * ways of their own, and must show about what sharp shows.
 *
 *   node scripts/run.mjs scripts/fuzz/avif-decoders.ts [--large] [--kinds=photo,smooth]
 *
 * --large takes pictures of 16 megapixels instead: half a minute each. A program that is not there is left out, and that is said. In Debian
 * the packages are libavif-bin, chromium and firefox-esr.
 */
import "../wasm/hooks.ts";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { type BrowserName, findBrowser, shownBy } from "../harness/browsers.ts";
import { type Bitmap, psnr } from "../harness/ssim.ts";
import { onGround } from "../samples/svg/svg.ts";
import { table } from "../bench/figures.ts";

const { avifCases } = await import("./avif-decoder-cases.ts");

const DECODERS = ["dav1d", "aom", "libgav1"];
/** The least likeness to what sharp shows, in dB. */
const ALIKE_DB = { "420": 32, "444": 45 } as const;
/** At half the resolution, decoders enlarge chroma in their own ways, which shows where it is all detail. */
const DETAILED = /^(?:noise|palette|bars|strips)/;
const DETAILED_ALIKE_DB = 20;
const isLarge = process.argv.includes("--large");
const kinds = process.argv
  .find((flag) => flag.startsWith("--kinds="))
  ?.slice("--kinds=".length)
  .split(",");
/** Files that a browser is shown at once. */
const BATCH = isLarge ? 2 : 24;

const isThere = (command: string): boolean => {
  try {
    execFileSync("sh", ["-c", `command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
};

const onWhite = (rgba: Bitmap): Bitmap => onGround(rgba, 255);

async function bySharp(file: Uint8Array): Promise<Bitmap> {
  const { data, info } = await sharp(file, { limitInputPixels: false })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 4, data };
}

const LEVELS = 256;

/**
 * Returns the alpha that a browser shows for each level of alpha in a file of sharp's. Chromium 156 takes the alpha of
 * every AVIF for limited range, whichever encoder wrote it.
 */
async function alphaIn(browser: BrowserName, command: string): Promise<Uint8Array> {
  const ramp = Uint8Array.from({ length: LEVELS * 4 }, (_, i) => (i % 4 === 3 ? i >> 2 : 128));
  const picture = sharp(ramp, { raw: { width: LEVELS, height: 1, channels: 4 } });
  const bytes = Uint8Array.from(await picture.avif({ lossless: true }).toBuffer());
  const [shown] = await shownBy(browser, command, [{ bytes, type: "image/avif" }]);
  return Uint8Array.from({ length: LEVELS }, (_, level) => shown?.bitmap?.data[level * 4 + 3] ?? level);
}

const withAlpha = (picture: Bitmap, levels: Uint8Array): Bitmap => ({
  ...picture,
  data: picture.data.map((value, i) => (i % 4 === 3 ? levels[value]! : value)),
});

const faults: string[] = [];
const least = new Map<string, number>();
const counts = new Map<string, number>();

function compare(
  who: string,
  name: string,
  chroma: "420" | "444",
  shown: Bitmap | null,
  wanted: Bitmap,
): void {
  counts.set(who, (counts.get(who) ?? 0) + 1);
  if (shown?.width !== wanted.width || shown.height !== wanted.height) {
    faults.push(`${who}: ${name}: not shown in its size`);
    return;
  }
  const alike = psnr(onWhite(shown), onWhite(wanted));
  const key = `${who}, ${chroma}`;
  least.set(key, Math.min(least.get(key) ?? Infinity, alike));
  const isDetailed = chroma === "420" && DETAILED.test(name);
  if (alike < (isDetailed ? DETAILED_ALIKE_DB : ALIKE_DB[chroma]))
    faults.push(`${who}: ${name}: ${alike.toFixed(1)} dB`);
}

/** Decodes the file by a decoder of avifdec, to a PNG: two are equal if all pixels are. */
function byAvifdec(folder: string, file: Uint8Array, decoder: string): Buffer {
  const [from, to] = [join(folder, "in.avif"), join(folder, "out.png")];
  writeFileSync(from, file);
  execFileSync("avifdec", ["-c", decoder, "--png-compress", "1", from, to], { stdio: "pipe" });
  return readFileSync(to);
}

const folder = mkdtempSync(join(tmpdir(), "avif-decoders-"));
const hasAvifdec = isThere("avifdec");
if (!hasAvifdec) console.log("There is no avifdec here.");
const browsers: { name: BrowserName; command: string; alpha: Uint8Array }[] = [];
for (const name of ["chromium", "firefox"] as const) {
  const command = findBrowser(name);
  if (command === null) console.log(`There is no ${name} here.`);
  else browsers.push({ name, command, alpha: await alphaIn(name, command) });
}

try {
  let batch: { name: string; chroma: "420" | "444"; bytes: Uint8Array; type: string }[] = [];
  const show = async (): Promise<void> => {
    for (const { name: browser, command, alpha } of browsers) {
      const shown = await shownBy(browser, command, batch);
      for (const [i, { name, chroma, bytes }] of batch.entries()) {
        compare(browser, name, chroma, shown[i]!.bitmap, withAlpha(await bySharp(bytes), alpha));
      }
    }
    batch = [];
  };
  for await (const { name, chroma, file } of avifCases(isLarge, kinds)) {
    if (hasAvifdec) {
      const [first, ...others] = DECODERS.map((decoder) => byAvifdec(folder, file, decoder));
      counts.set("avifdec", (counts.get("avifdec") ?? 0) + 1);
      if (!others.every((other) => other.equals(first!))) faults.push(`avifdec: ${name}: decoders differ`);
      compare("sharp by avifdec", name, chroma, await bySharp(first!), await bySharp(file));
    }
    batch.push({ name, chroma, bytes: Uint8Array.from(file), type: "image/avif" });
    if (batch.length === BATCH) await show();
  }
  await show();
} finally {
  rmSync(folder, { recursive: true });
}
table([
  ["decoder", "least like sharp's"],
  ...[...least].map(([who, alike]) => [who, alike === Infinity ? "equal" : `${alike.toFixed(1)} dB`]),
]);
console.log([...counts].map(([who, count]) => `${who}: ${count} files`).join(", "));
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
