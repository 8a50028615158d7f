/**
 * Uploads every picture of a folder, builds a variant of each, and compares it with what Chromium and Firefox draw of
 * the picture itself. Prints the classes of differences, with names, the most frequent first. Ends with an error where
 * both browsers show a picture and agree, and the service refuses it, has no variant, or has another picture.
 *
 *     node scripts/run.mjs scripts/measure/suites.ts FOLDER [--most N] [--all]
 *
 * The folders are the test pictures of image libraries and browsers; src/image/formats/README.md names those that were
 * tried. `--most` takes every nth file, so that at most N are tried. `--all` names every file of a class.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { findBrowser } from "../harness/browsers.ts";
import { drawPairs, type DrawnPair, type Pair } from "../harness/browser-pairs.ts";
import { bearer, type MediaObject, newSpace, type Space, variantOf } from "../harness/api.ts";
import { newDataDir, removeDataDir, startService } from "../harness/service.ts";
import { rasterFormat } from "../../src/image/formats/raster.ts";
import { SIGNATURE_BYTES } from "../../src/image/formats/raster-reader.ts";
import { FORMATS } from "../../src/image/formats/registry.ts";
import { type Verdict, verdictOf } from "./suite-verdicts.ts";

const PATIENCE_MS = 3_600_000;
/** New variants that one address may ask for in 10 minutes are 600 (RULES 8.3). */
const FILES_PER_CLIENT = 300;
const AT_ONCE = 3;
const NAMES_PER_CLASS = 4;
/** The short side of variants, and the greatest width: a line of a wide picture is lost where few rows are left. */
const SHORT_SIDE = 64;
const WIDTH_MAX = 1024;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name a folder of pictures.");
const most = Number(process.argv[process.argv.indexOf("--most") + 1] ?? Infinity) || Infinity;
const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(jpe?g|jfif|png|apng|gif|webp|avif)$/i.test(name))
  .sort();
const step = Math.max(1, Math.ceil(all.length / most));
const names = all.filter((_, i) => i % step === 0);

/** The service's answer to a file. */
export interface Served {
  name: string;
  file: Buffer;
  media: MediaObject | null;
  variant: { bytes: Buffer; type: string } | null;
  /** Why there is no media item, or no variant. */
  reason: string | null;
}

const dataDir = newDataDir();
// The log names the reason of each picture that has no variants.
const service = await startService({ dataDir, env: { LOG_SAMPLE: "1" } });
const served: Served[] = [];
try {
  const space = await newSpace(service);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < names.length) {
      const index = next++;
      served[index] = await serve(space, names[index]!, `10.0.${Math.floor(index / FILES_PER_CLIENT)}.1`);
      if (index % 200 === 0) console.error(`${index} of ${names.length}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
} finally {
  await service.stop();
  removeDataDir(dataDir);
}

async function serve(space: Space, name: string, from: string): Promise<Served> {
  const file = readFileSync(join(folder!, name));
  const nothing = { name, file, media: null, variant: null };
  try {
    const headers = { ...bearer(space.key), "X-Filename": encodeURIComponent(basename(name)) };
    const response = await fetch(`${space.api}/media`, {
      method: "POST",
      headers,
      body: new Uint8Array(file),
    });
    const body = (await response.json()) as { data?: MediaObject; error?: { message: string } };
    if (!body.data) return { ...nothing, reason: `${response.status} ${body.error?.message}` };
    const media = body.data;
    const width = Math.min(WIDTH_MAX, Math.ceil(SHORT_SIDE * Math.max(1, media.width / media.height)));
    const format = (media.frames ?? 2) > 1 ? "webp" : "png";
    const query = `w=${width}&fm=${format}`;
    try {
      const { bytes, type } = await variantOf(space, media.id, query, { from });
      return { ...nothing, media, variant: { bytes, type }, reason: null };
    } catch (error) {
      return { ...nothing, media, reason: failureOf(media.id) ?? String(error) };
    }
  } catch (error) {
    return { ...nothing, reason: String(error) };
  }
}

/** Returns the reason that the log names for a picture without a variant. */
function failureOf(id: string): string | null {
  const line = service
    .output()
    .split("\n")
    .findLast((text) => text.includes(id) && text.includes('"reason"'));
  return line === undefined ? null : (/"reason":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? null);
}

const typeOf = (file: Buffer): string => {
  const format = rasterFormat(file.subarray(0, SIGNATURE_BYTES));
  return format ? FORMATS[format].mime : "application/octet-stream";
};

const pairs: Pair[] = served.map(({ file, variant }) => ({
  picture: { bytes: file, type: typeOf(file) },
  variant,
}));
const drawn: Record<string, DrawnPair[]> = {};
for (const browser of ["chromium", "firefox"] as const) {
  const command = findBrowser(browser);
  if (command === null) throw new Error(`There is no ${browser} here.`);
  drawn[browser] = await drawPairs(browser, command, pairs, PATIENCE_MS);
}

const classes = new Map<string, { verdict: Verdict; names: string[] }>();
served.forEach((one, i) => {
  const verdict = verdictOf(one, typeOf(one.file), drawn["chromium"]![i], drawn["firefox"]![i]);
  const key = `${verdict.isFault ? "FAULT" : "ok"} | ${verdict.format} | ${verdict.what}`;
  const entry = classes.get(key) ?? { verdict, names: [] };
  entry.names.push(one.name);
  classes.set(key, entry);
});
const sorted = [...classes].sort(
  ([, a], [, b]) => Number(a.verdict.isFault) - Number(b.verdict.isFault) || b.names.length - a.names.length,
);
for (const [key, { names: some, verdict }] of sorted) {
  const shown = process.argv.includes("--all") || verdict.isFault ? some : some.slice(0, NAMES_PER_CLASS);
  console.log(`${String(some.length).padStart(5)}  ${key}`);
  if (!key.startsWith("ok") || process.argv.includes("--all"))
    console.log(`         ${shown.slice(0, 12).join("  ")}`);
}
const faults = sorted
  .filter(([, { verdict }]) => verdict.isFault)
  .reduce((sum, [, { names: n }]) => sum + n.length, 0);
console.log(`${served.length} files, ${faults} faults`);
process.exit(faults === 0 ? 0 : 1);
