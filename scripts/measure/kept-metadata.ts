/**
 * Builds variants of every picture of a folder, below it too, and has exiftool read them: prints the pictures whose
 * variants hold a tag that states no rights (RULES 9.9), and how many pictures state each right and hold a place.
 *
 *     node scripts/run.mjs scripts/measure/kept-metadata.ts FOLDER
 *
 * Tried with the pictures of drewnoakes/metadata-extractor-images and of exiftool's own tests: phones, cameras,
 * Lightroom, Photoshop and other writers.
 */
import "../wasm/hooks.ts";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tags } from "../harness/exiftool.ts";

const { partsOf, specFor, take } = await import("../harness/builds.ts");
const { foreignTags, RIGHTS_TAGS, tagsOf } = await import("../harness/exiftool.ts");
const { probe } = await import("../harness/probe-run.ts");
const { planUnbounded } = await import("../../src/image/plan/plan.ts");
const { orderFor } = await import("../../src/image/protocol/order.ts");

const FORMATS = ["jpeg", "png", "webp", "avif"] as const;
/** Variants are small, since only what stands beside the pixels is looked at. Rights are written all the same. */
const WIDTH = 64;
/** Files that one exiftool reads. */
const AT_ONCE = 200;

const [root] = process.argv.slice(2);
if (root === undefined) throw new Error("Name a folder of pictures.");

const folder = mkdtempSync(join(tmpdir(), "kept-metadata-"));
const counts = { pictures: 0, refused: 0, places: 0, stated: 0, foreign: 0, lost: 0 };

/** Writes the variants of a picture. @returns their paths; none for a file that the service refuses */
async function variantsOf(file: Buffer, name: string): Promise<string[]> {
  const facts = probe(file);
  const paths: string[] = [];
  for (const format of FORMATS) {
    const width = Math.min(WIDTH, facts.width);
    const rights = facts.copyright !== undefined ? { rights: true as const } : {};
    const spec = { ...specFor(facts, { format, width }), ...rights };
    const plan = planUnbounded(facts, file.length, spec);
    if (!plan.ok) continue;
    const answer = await take(orderFor(facts, file.length, spec, plan), file);
    if (!answer.ok) continue;
    const path = join(folder, `${name}.${format}`);
    writeFileSync(path, Buffer.concat((await partsOf(answer)).parts));
    paths.push(path);
  }
  return paths;
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

/** Returns whether exiftool finds a place in the file. */
const hasPlace = (tags: object): boolean =>
  Object.keys(tags).some((tag) => /GPS(?:Lat|Lon|Pos)|Location|City/i.test(tag));

const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.(?:jpe?g|png|webp|avif|gif)$/i.test(name),
);
for (let from = 0; from < names.length; from += AT_ONCE) {
  const part = names.slice(from, from + AT_ONCE);
  const masters = tagsOf(part.map((name) => join(root, name)));
  const paths: string[][] = [];
  for (const [i, name] of part.entries()) {
    try {
      paths.push(await variantsOf(readFileSync(join(root, name)), `${from + i}`));
    } catch {
      paths.push([]);
    }
  }
  const read = tagsOf(paths.flat());
  for (const [i, name] of part.entries()) {
    const variants = read.splice(0, paths[i]!.length);
    if (variants.length === 0) {
      counts.refused++;
      continue;
    }
    counts.pictures++;
    if (hasPlace(masters[i]!)) counts.places++;
    const rights = (tags: Tags): string[] =>
      Object.keys(RIGHTS_TAGS).filter((tag) => textOf(tags[tag]).trim() !== "");
    const stated = rights(masters[i]!);
    if (stated.length > 0) counts.stated++;
    for (const tags of variants) {
      const foreign = foreignTags(tags);
      if (foreign.length > 0) counts.foreign++;
      if (foreign.length > 0)
        console.log(`${name}: ${String(tags["File:FileType"])} holds ${foreign.join(", ")}`);
      if (stated.length > 0 && rights(tags).length === 0) {
        counts.lost++;
        const said = stated.map((tag) => `${tag}=${textOf(masters[i]![tag])}`);
        console.log(`${name}: ${String(tags["File:FileType"])} states none of ${said.join(", ")}`);
      }
    }
  }
}
rmSync(folder, { recursive: true });
console.log(counts);
