/**
 * Prints how our deflate compares with zlib's at its usual level, and at its best: bytes of the same filtered rows, and
 * time, in which ours counts filtering as well.
 *
 *     node --import ./scripts/wasm/hooks.ts scripts/measure/png.ts [picture ...]
 *
 * Without pictures it makes some for itself.
 */
import { deflateSync, inflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { encodePng } from "../../src/builder/codecs/png/encoder.ts";
import { type Picture, rowsOf, workspaceIn } from "../harness/png-rows.ts";
import { cutout, image, photo } from "../samples/pictures.ts";
import { median } from "../bench/figures.ts";

const WIDTH = 1600;
const RUNS = 5;
const USUAL_LEVEL = 6;
const BEST_LEVEL = 9;
const LAYOUTS: Record<number, Picture["layout"]> = { 1: "gray", 2: "gray-alpha", 3: "rgb", 4: "rgba" };

async function pictures(): Promise<[string, Sharp][]> {
  const files = process.argv.slice(2);
  if (files.length > 0) return files.map((file) => [file, sharp(file)]);
  return [
    ["photo", image(await photo(2880, 2160))],
    ["cutout", image(await cutout(WIDTH, 1200))],
  ];
}

async function encode(picture: Picture): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of encodePng(workspaceIn(), rowsOf(picture), "thorough")) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The zlib stream of a PNG. */
function streamOf(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const isData = png.toString("latin1", at + 4, at + 8) === "IDAT";
    if (isData) parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return Buffer.concat(parts);
}

async function milliseconds(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  }
  return median(times);
}

console.log("ours: bytes to zlib's level 6, to level 9, time to level 6");
for (const [name, shown] of await pictures()) {
  const { data, info } = await shown
    .resize({ width: WIDTH, withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const picture = { ...info, layout: LAYOUTS[info.channels]!, data };
  const ours = streamOf(await encode(picture));
  const filtered = inflateSync(ours);
  const bytesAt = (level: number): number => deflateSync(filtered, { level }).length;
  const ourMs = await milliseconds(() => encode(picture));
  const zlibMs = await milliseconds(() => bytesAt(USUAL_LEVEL));
  const figures = [ours.length / bytesAt(USUAL_LEVEL), ours.length / bytesAt(BEST_LEVEL), ourMs / zlibMs];
  console.log(name.padEnd(40), figures.map((figure) => figure.toFixed(3)).join("  "));
}
