/** Pictures of any content, size, quality and colour through our own AV1 encoder, and back through dav1d. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TilesLog2 } from "../../src/image/formats/avif/encoder-options.ts";
import type { Effort } from "../../src/image/model/variant.ts";
import { encodeAvifRows } from "../../src/builder/codecs/avif/row-encoder.ts";
import { obuHead } from "../../src/builder/codecs/avif/av1-obu.ts";
import { boxesIn, firstBox } from "../../src/image/formats/avif/isobmff.ts";
import { readItems } from "../../src/image/formats/avif/items.ts";
import { CHANNELS_OF } from "../../src/image/memory/rows.ts";
import { reconstruct, reconstructAlpha } from "../harness/av1-reconstruction.ts";
import { newMemory, type Picture, rowsOf, workspaceIn } from "../harness/png-rows.ts";
import { palettePicture } from "../samples/palette-pictures.ts";
import { bars, strips } from "../samples/stripe-pictures.ts";
import { KINDS, picture } from "../samples/webp-rows-pictures.ts";
import { randomOf } from "../samples/random.ts";

/** Pictures per run of the decoder. */
const BATCH = 100;
const LARGEST_SIDE = 160;
const TEMPORAL_DELIMITER = 2;

interface Case {
  seed: number;
  source: Picture;
  baseIndex: number;
  alphaIndex: number;
  chroma: "420" | "444";
  isDrawing: boolean;
  effort: Effort;
  tilesLog2: TilesLog2;
}

const LAYOUTS: readonly Picture["layout"][] = ["rgb", "rgb", "rgba", "rgba", "gray", "gray-alpha"];

function caseOf(seed: number): Case {
  const next = randomOf(seed);
  const upTo = (most: number): number => 1 + Math.floor(next() * most);
  const kind = next();
  const [width, height] = [upTo(LARGEST_SIDE), upTo(LARGEST_SIDE)];
  const layout = LAYOUTS[upTo(LAYOUTS.length) - 1]!;
  const source = ((): Picture => {
    if (kind < 0.3) return palettePicture(width, height, 1 + upTo(next() < 0.7 ? 9 : 70), layout);
    if (kind < 0.4) return bars(width, height, next() < 0.5, layout);
    if (kind < 0.5) return strips(width, height, next() < 0.5 ? 4 : 8, next() < 0.5, layout);
    return picture(KINDS[upTo(KINDS.length) - 1]!, width, height, layout);
  })();
  const [gain, offset] = [next() < 0.5 ? 1 : 4 * next() ** 2, next() < 0.5 ? 0 : 255 * (next() - 0.5)];
  const data = source.data.map((value) => Math.max(0, Math.min(255, 128 + (value - 128) * gain + offset)));
  const chroma = next() < 0.5 ? "420" : "444";
  const [baseIndex, alphaIndex] = [upTo(255), next() < 0.5 ? upTo(40) : upTo(255)];
  const isDrawing = next() < 0.7;
  const tilesLog2 = next() < 0.5 ? { columns: 0, rows: 0 } : { columns: upTo(3) - 1, rows: upTo(3) - 1 };
  const effort = !isDrawing && next() < 0.5 ? "quick" : "thorough";
  return { seed, source: { ...source, data }, baseIndex, alphaIndex, chroma, isDrawing, effort, tilesLog2 };
}

/** Returns the data of colour, and of alpha if it is there. */
function codedData(file: Buffer): Buffer[] {
  const meta = firstBox(boxesIn(file, "file"), "meta");
  if (!meta) throw new Error("The file has no meta box");
  return [...readItems(meta).extents.values()].map(([extent]) => {
    if (!extent?.length) throw new Error("An item has no data");
    return file.subarray(extent.offset, extent.offset + extent.length);
  });
}

/** Returns a file of the IVF format, with a picture per frame. */
function ivf(frames: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(32);
  head.write("DKIF\0\0\x20\0AV01", "latin1");
  head.writeUInt32LE(25, 16);
  head.writeUInt32LE(1, 20);
  head.writeUInt32LE(frames.length, 24);
  const parts = frames.flatMap((frame, i) => {
    const lead = Buffer.alloc(12);
    lead.writeUInt32LE(frame.length, 0);
    lead.writeUInt32LE(i, 4);
    return [lead, frame];
  });
  return Buffer.concat([head, ...parts]);
}

/** Encodes to a temporal unit per coded picture. */
async function encode({ source, ...settings }: Case): Promise<Buffer[]> {
  const options = { ...settings, isFiltered: false };
  const file = Buffer.concat(await encodeAvifRows(workspaceIn(newMemory(64)), rowsOf(source), options));
  const start = Buffer.from(obuHead(TEMPORAL_DELIMITER, 0));
  return codedData(file).map((data) => Buffer.concat([start, data]));
}

/** Returns the picture that decoders must see: the planes of colour, and alpha unless it is opaque. */
function expected(one: Case): Uint8Array[] {
  const { source, baseIndex, alphaIndex, chroma, isDrawing, effort, tilesLog2 } = one;
  const shift = chroma === "444" ? 0 : 1;
  const { planes } = reconstruct(source, baseIndex, shift, isDrawing, false, tilesLog2, effort);
  const channels = CHANNELS_OF[source.layout];
  const isOpaque =
    channels % 2 === 1 || source.data.every((value, i) => i % channels < channels - 1 || value === 255);
  return isOpaque ? planes : [...planes, reconstructAlpha(source, alphaIndex, tilesLog2)];
}

/** @throws Error for the first picture that dav1d sees differently */
export async function runAvifRows(seed: number, files: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "avif-rows-"));
  try {
    for (let done = 0; done < files;) {
      const cases = Array.from({ length: Math.min(BATCH, files - done) }, (_, i) => caseOf(seed + done + i));
      const frames: Buffer[] = [];
      for (const one of cases) frames.push(...(await encode(one)));
      writeFileSync(join(folder, "in.ivf"), ivf(frames));
      execFileSync("dav1d", ["-q", "-i", join(folder, "in.ivf"), "-o", join(folder, "out.yuv")]);
      compare(cases, readFileSync(join(folder, "out.yuv")));
      done += cases.length;
    }
    return "all alike";
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compare(cases: readonly Case[], seen: Buffer): void {
  let at = 0;
  for (const one of cases) {
    const { seed, source, baseIndex, alphaIndex, chroma, effort } = one;
    for (const [index, plane] of expected(one).entries()) {
      if (!seen.subarray(at, at + plane.length).equals(plane)) {
        const what = `${source.layout} ${source.width} x ${source.height} at ${baseIndex}, ${alphaIndex} in ${chroma}, ${effort}`;
        throw new Error(`dav1d sees plane ${index} of seed ${seed} differently: ${what}`);
      }
      at += plane.length;
    }
  }
  if (at !== seen.length) throw new Error(`dav1d wrote ${seen.length} bytes in place of ${at}`);
}
