/** The matrix over which the ledger is held to the truth: kinds of masters, their contents, sizes, and outputs. */
import sharp, { type Sharp } from "sharp";
import { buildVariant } from "../../src/builder/build.ts";
import { BuildMemory } from "../../src/builder/memory/build-memory.ts";
import { INITIAL_MEMORY } from "../../src/image/memory/isolate.ts";
import type { MasterFacts } from "../../src/image/model/facts.ts";
import { planBuild } from "../../src/image/plan/plan.ts";
import type { VariantSpec } from "../../src/image/model/variant.ts";
import { type Ask, quickened, specFor, wholeOf, contextOf } from "../harness/builds.ts";
import { photo } from "./pictures.ts";
import { probe } from "../harness/probe-run.ts";

export const CONTENTS = ["photo", "graphic", "noise"] as const;
export type Content = (typeof CONTENTS)[number];

const BASE = { width: 800, height: 600 } as const;
/** Side of the tile of grain that is laid over it, no larger than the smallest picture. */
const GRAIN = 128;
let base: Promise<Buffer> | null = null;

/** Pixels that are asked for again, by each kind of master: those of the largest picture that is kept, in bytes. */
const KEPT_MAX_BYTES = 6_000_000;
const kept = new Map<string, Promise<Buffer>>();

/** Paints a picture of `width` x `height`, which codecs compress to a middling, a small, or a large size. */
export async function paint(content: Content, width: number, height: number): Promise<Sharp> {
  const key = `${content} ${width} ${height}`;
  const pixels = kept.get(key) ?? pixelsOf(content, width, height);
  if (3 * width * height <= KEPT_MAX_BYTES) kept.set(key, pixels);
  return sharp(await pixels, { raw: { width, height, channels: 3 }, limitInputPixels: false });
}

async function pixelsOf(content: Content, width: number, height: number): Promise<Buffer> {
  const options = { raw: { width, height, channels: 3 }, limitInputPixels: false } as const;
  if (content === "graphic") {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 75"
      preserveAspectRatio="none"><rect width="100" height="75" fill="#fafafa"/><rect x="8" y="8" width="50" height="20" fill="#36c"/>
      <path d="M10 70 50 35 90 70Z" fill="#f5d90a"/><text x="5" y="20" font-size="6">Silverprint</text></svg>`;
    return sharp(Buffer.from(svg), { limitInputPixels: false }).removeAlpha().raw().toBuffer();
  }
  const grain = sharp({
    create: {
      ...{ width: GRAIN, height: GRAIN, channels: 3, background: "#808080" },
      noise: { type: "gaussian", mean: 128, sigma: content === "noise" ? 60 : 9 },
    },
  });
  const tile = await grain.png({ compressionLevel: 0 }).toBuffer();
  base ??= photo(BASE.width, BASE.height).then(({ data }) => data);
  const large = sharp(await base, { raw: { ...BASE, channels: 3 } }).resize(width, height, { fit: "fill" });
  const blend = content === "noise" ? "over" : "hard-light";
  const laid = sharp(await large.raw().toBuffer(), options).composite([{ input: tile, tile: true, blend }]);
  return laid.removeAlpha().raw().toBuffer();
}

/** Paints the same with a soft hole in it. */
export async function paintCutout(content: Content, width: number, height: number): Promise<Sharp> {
  const hole = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><radialGradient id="a">
    <stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#fff"/></radialGradient>
    <rect width="100%" height="100%" fill="url(#a)"/></svg>`;
  const mask = await sharp(Buffer.from(hole), { limitInputPixels: false }).extractChannel(3).raw().toBuffer();
  const opaque = await (await paint(content, width, height)).raw().toBuffer();
  const data = Buffer.alloc(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    data[4 * i] = opaque[3 * i] as number;
    data[4 * i + 1] = opaque[3 * i + 1] as number;
    data[4 * i + 2] = opaque[3 * i + 2] as number;
    data[4 * i + 3] = mask[i] as number;
  }
  return sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false });
}

type Make = (content: Content, width: number, height: number) => Promise<Buffer>;
const opaque =
  (encode: (picture: Sharp) => Sharp): Make =>
  async (...of) =>
    encode(await paint(...of)).toBuffer();
const pierced =
  (encode: (picture: Sharp) => Sharp): Make =>
  async (...of) =>
    encode(await paintCutout(...of)).toBuffer();

/** To choose more colours for grain takes five times as long. */
const FEW_COLOURS = { effort: 1, dither: 0, colours: 16 } as const;

/** Every way a master may be coded that the sums tell apart. */
export const MASTERS: Record<string, Make> = {
  "jpeg": opaque((p) => p.jpeg({ quality: 85 })),
  "jpeg progressive": opaque((p) => p.jpeg({ quality: 85, progressive: true })),
  "jpeg 4:4:4": opaque((p) => p.jpeg({ quality: 90, chromaSubsampling: "4:4:4" })),
  "jpeg progressive 4:4:4": opaque((p) => p.jpeg({ quality: 90, chromaSubsampling: "4:4:4", progressive: true })),
  "jpeg gray": opaque((p) => p.grayscale().jpeg({ quality: 85 })),
  "jpeg cmyk": opaque((p) => p.toColourspace("cmyk").jpeg({ quality: 85 })),
  "jpeg turned": opaque((p) => p.withMetadata({ orientation: 6 }).jpeg({ quality: 85 })),
  "jpeg progressive turned": opaque((p) => p.withMetadata({ orientation: 6 }).jpeg({ quality: 85, progressive: true })),
  "png": opaque((p) => p.png({ compressionLevel: 1 })),
  "png 16 bit": opaque((p) => p.toColourspace("rgb16").png({ compressionLevel: 1 })),
  "png gray": opaque((p) => p.grayscale().png({ compressionLevel: 1 })),
  "png palette": opaque((p) => p.png({ compressionLevel: 1, palette: true, effort: 1 })),
  "png alpha": pierced((p) => p.png({ compressionLevel: 1 })),
  "png alpha turned": pierced((p) => p.withMetadata({ orientation: 6 }).png({ compressionLevel: 1 })),
  "png interlaced": opaque((p) => p.png({ compressionLevel: 1, progressive: true })),
  "png interlaced alpha": pierced((p) => p.png({ compressionLevel: 1, progressive: true })),
  "webp": opaque((p) => p.webp({ effort: 0 })),
  "webp alpha": pierced((p) => p.webp({ effort: 0 })),
  "webp lossless": opaque((p) => p.webp({ lossless: true, effort: 0 })),
  "webp lossless alpha": pierced((p) => p.webp({ lossless: true, effort: 0 })),
  "avif": opaque((p) => p.avif({ effort: 0, chromaSubsampling: "4:2:0" })),
  "avif 4:4:4": opaque((p) => p.avif({ effort: 0 })),
  "avif 10 bit": opaque((p) => p.avif({ effort: 0, chromaSubsampling: "4:2:0", bitdepth: 10 })),
  "avif 10 bit 4:4:4": opaque((p) => p.avif({ effort: 0, bitdepth: 10 })),
  "avif 10 bit alpha": pierced((p) => p.avif({ effort: 0, chromaSubsampling: "4:2:0", bitdepth: 10 })),
  "avif alpha": pierced((p) => p.avif({ effort: 0, chromaSubsampling: "4:2:0" })),
  "avif 4:4:4 alpha": pierced((p) => p.avif({ effort: 0 })),
  "gif": opaque((p) => p.gif(FEW_COLOURS)),
  "gif interlaced": opaque((p) => p.gif({ ...FEW_COLOURS, progressive: true })),
  "gif alpha": pierced((p) => p.gif(FEW_COLOURS)),
}; // prettier-ignore

export interface Entry {
  label: string;
  spec: VariantSpec;
  facts: MasterFacts;
  /** The bytes without the file that comes out: those of the plan, and those that the build took. */
  predicted: number;
  taken: number;
  /** The bytes of the file that the build holds: those that the plan keeps room for, and the real ones. */
  reserved: number;
  output: number;
  /** The same of a colour profile and its tables. */
  colourReserved: number;
  colour: number;
}

/**
 * Sums of less than two pages of WebAssembly memory, of 64 KB, are not held to ratios: each part of a build under some
 * 2 MB is rounded to pages.
 */
const TOLERATED_BYTES = 131_072;

/** Returns how far the plan is off, as shares of the bytes that were taken. */
export const errorOf = ({ predicted, taken }: Entry): { under: number; over: number } => ({
  under: Math.max(0, taken - predicted - TOLERATED_BYTES) / taken,
  over: Math.max(0, predicted - taken - TOLERATED_BYTES) / taken,
});

/** Kept from build to build, as an isolate does: to touch new memories takes longer than to wipe these. */
let memory = new BuildMemory();

/** Makes memories for the next build. A grown arena might hold its variant, which the sums leave out. */
function memoryOfBuild(): BuildMemory {
  if (memory.memoryBytes.arena > INITIAL_MEMORY.arena) memory = new BuildMemory();
  return memory;
}

/** Weighs one build against its plan; null for a build that the plan refuses. */
export async function weigh(
  label: string,
  file: Buffer,
  ask: Ask,
  specOf: (facts: MasterFacts) => VariantSpec = (facts) => specFor(facts, ask),
): Promise<Entry | null> {
  const facts = probe(file);
  const spec = specOf(facts);
  const plan = planBuild(facts, file.length, spec);
  if (!plan.ok) return null;
  const planned = contextOf(file, { facts, spec, memory: memoryOfBuild() });
  const context = ask.effort === "quick" ? { ...planned, plan: quickened(planned.plan) } : planned;
  const { mostBytes, peakBytes, colourBytes } = await wholeOf(buildVariant(context));
  const { output, colour } = plan.memory;
  const predicted = plan.memory.peak - output - colour;
  const taken = peakBytes - mostBytes - colourBytes;
  return {
    ...{ label, spec, facts, predicted, taken },
    ...{ reserved: output, output: mostBytes },
    ...{ colourReserved: colour, colour: colourBytes },
  };
}
