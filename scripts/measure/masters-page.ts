/**
 * Shows the masters of a folder beside their variants, as a browser draws both: a picture of a page in Chromium, to look at.
 * Each row has the master and its variants in WebP and AVIF, all from a service that runs here, and the master's facts.
 *
 *     node scripts/run.mjs scripts/measure/masters-page.ts FOLDER OUT.png [--width=400]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromiumFlags, findBrowser } from "../harness/browsers.ts";
import { newSpace, type Space, upload, variantOf } from "../harness/api.ts";
import { newDataDir, removeDataDir, startService } from "../harness/service.ts";

const FORMATS = ["webp", "avif"] as const;
const COLUMNS = 2;
const MARGIN_PIXELS = 24;
/** The time that Chromium has to decode the largest masters. */
const PATIENCE_MS = 240_000;

const [folder, out, ...flags] = process.argv.slice(2);
if (folder === undefined || out === undefined)
  throw new Error("Name a folder of pictures and a file to write.");
const width = Number(flags.find((flag) => flag.startsWith("--width="))?.slice("--width=".length) ?? 400);
const command = findBrowser("chromium");
if (command === null) throw new Error("There is no Chromium here.");

/** Returns the cell of a master: its name, and the pictures. */
async function cellOf(space: Space, name: string): Promise<{ html: string; height: number }> {
  const media = await upload(space, readFileSync(join(folder!, name)), name);
  const urls = [media.url];
  for (const format of FORMATS) {
    urls.push((await variantOf(space, media.id, `w=${width}&fm=${format}`)).location);
  }
  const facts = `${name}: ${media.width} × ${media.height}, ${media.size.toLocaleString("en")} bytes`;
  console.log(facts);
  const height = Math.ceil((width * media.height) / media.width);
  const images = urls.map((url) => `<img src="${url}" width="${width}" height="${height}">`).join("");
  return { html: `<figure><figcaption>${facts}</figcaption>${images}</figure>`, height };
}

const dataDir = newDataDir();
const profile = mkdtempSync(join(tmpdir(), "masters-page-"));
const service = await startService({ dataDir, env: { LOG_SAMPLE: "0" } });
try {
  const space = await newSpace(service);
  const cells: { html: string; height: number }[] = [];
  for (const name of readdirSync(folder).sort()) cells.push(await cellOf(space, name));
  const columnPixels = width * (FORMATS.length + 1) + MARGIN_PIXELS;
  const rows = Math.ceil(cells.length / COLUMNS);
  const heights = Array.from({ length: rows }, (_, row) =>
    Math.max(
      ...cells.slice(row * COLUMNS, (row + 1) * COLUMNS).map(({ height }) => height + 2 * MARGIN_PIXELS),
    ),
  );
  const height = heights.reduce((sum, one) => sum + one, MARGIN_PIXELS);
  const style = `body{margin:0;font:14px sans-serif;background:#ddd;display:grid;grid-template-columns:repeat(${COLUMNS},${columnPixels}px)}
    figure{margin:0 0 ${MARGIN_PIXELS}px}img{display:inline-block}`;
  const page = join(profile, "page.html");
  writeFileSync(
    page,
    `<!doctype html><meta charset="utf-8"><style>${style}</style>${cells.map(({ html }) => html).join("")}`,
  );
  const size = `--window-size=${columnPixels * COLUMNS},${height}`;
  const shot = [`--screenshot=${resolve(out)}`, size, `--timeout=${PATIENCE_MS}`, "--hide-scrollbars"];
  execFileSync(command, [...chromiumFlags(profile), ...shot, `file://${page}`], { stdio: "ignore" });
} finally {
  await service.stop();
  removeDataDir(dataDir);
  rmSync(profile, { recursive: true, force: true });
}
