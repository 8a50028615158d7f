/**
 * Prints how the row encoder for WebP compares with libwebp (jSquash): bytes at the same q, bytes at the same SSIM,
 * and time.
 *
 *     node --import ./scripts/wasm/hooks.ts scripts/measure/webp.ts [--method=4] [photo.jpg ...]
 *
 * Without photos it makes pictures for itself.
 */
import sharp from "sharp";
import { Arena } from "../../src/builder/memory/arena.ts";
import { libwebpOptions } from "../../src/image/formats/webp/encoder-options.ts";
import { encodeWebp } from "../../src/builder/codecs/webp/encoder.ts";
import { workspaceIn } from "../harness/png-rows.ts";
import { bitmap } from "../harness/builds.ts";
import { image, photo } from "../samples/pictures.ts";
import { type Bitmap, psnr, ssim } from "../harness/ssim.ts";

const QUALITIES = [80, 90, 95] as const;
/** Around each q, to find the size at another SSIM between them. */
const STEPS = [-8, -4, 0, 2, 4];
const WIDTH = 1280;

interface Result {
  bytes: number;
  /** Of SSIM's distance to 1, in dB: near enough to a straight line over the logarithm of bytes. */
  likeness: number;
  psnr: number;
  ms: number;
}

const METHOD = "--method=";
const flags = process.argv.slice(2);
const files = flags.filter((flag) => !flag.startsWith(METHOD));
const method = Number(flags.find((flag) => flag.startsWith(METHOD))?.slice(METHOD.length) ?? 2);

async function pictures(): Promise<[string, Bitmap][]> {
  const out: [string, Bitmap][] = [];
  for (const file of files) {
    const shrunk = sharp(file).rotate().resize({ width: WIDTH, withoutEnlargement: true });
    out.push([file, await bitmap(shrunk, 3)]);
  }
  if (out.length > 0) return out;
  for (const seed of [1, 2, 3]) {
    // Sharp at the scale of pixels, and as soft as a phone's photo at full size.
    out.push([`photo ${seed}, shrunk`, await bitmap(image(await photo(2880, 2160, seed)).resize(960), 3)]);
    out.push([`photo ${seed}`, await bitmap(image(await photo(960, 720, seed)), 3)]);
  }
  return out;
}

const arena = new Arena(1e9);

async function byLibwebp(picture: Bitmap, quality: number): Promise<Uint8Array> {
  const { data, width, height } = await bitmap(
    sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 3 } }),
    4,
  );
  arena.bytes(arena.canvas(data.length)).set(data);
  const codec = arena.start("webp-encoder");
  const options = codec.options({ ...libwebpOptions(80), method, quality });
  started = performance.now();
  const file = codec.bytes(codec.call("encode", arena.canvasSpan, width, height, options)).slice();
  ended = performance.now();
  arena.reset();
  return file;
}

async function inRows({ data, width, height }: Bitmap, quality: number): Promise<Uint8Array> {
  let given = false;
  const next = (): Promise<Uint8Array | null> => {
    const rows = given ? null : data;
    given = true;
    return Promise.resolve(rows);
  };
  const memory = new WebAssembly.Memory({ initial: 16, maximum: 1000 });
  const source = { width, height, layout: "rgb" as const, next };
  started = performance.now();
  const { chunks } = await encodeWebp(workspaceIn(memory), source, { quality });
  ended = performance.now();
  return Buffer.concat(chunks);
}

let [started, ended] = [0, 0];
type Encode = (picture: Bitmap, quality: number) => Promise<Uint8Array>;

async function measure(encode: Encode, picture: Bitmap, quality: number, times = 1): Promise<Result> {
  let [file, ms] = [new Uint8Array(), Infinity];
  for (let i = 0; i < times; i++) {
    file = new Uint8Array(await encode(picture, quality));
    ms = Math.min(ms, ended - started);
  }
  const read = await bitmap(sharp(file), 3);
  const likeness = -10 * Math.log10(1 - ssim(picture, read));
  return { bytes: file.length, likeness, psnr: psnr(picture, read), ms };
}

/** Bytes at a likeness, on the line between the two results nearest to it. */
function bytesAt(results: Result[], likeness: number): number {
  const near = results
    .toSorted((a, b) => Math.abs(a.likeness - likeness) - Math.abs(b.likeness - likeness))
    .slice(0, 2) as [Result, Result];
  const [a, b] = near;
  const slope = (Math.log(b.bytes) - Math.log(a.bytes)) / (b.likeness - a.likeness);
  return Math.exp(Math.log(a.bytes) + slope * (likeness - a.likeness));
}

const percent = (ours: number, theirs: number): string => `${(100 * (ours / theirs - 1)).toFixed(1)} %`;

const heads = ["q", "libwebp KB", "bytes", "at SSIM", "dB SSIM", "dB PSNR", "time"];
console.log("".padEnd(24), ...heads.map((head) => head.padStart(10)));
const sums = new Map<number, number[]>();
for (const [name, picture] of await pictures()) {
  for (const q of QUALITIES) {
    const theirs = await measure(byLibwebp, picture, q, 3);
    const ours = await measure(inRows, picture, q, 3);
    const around: Result[] = [];
    for (const step of STEPS) around.push(await measure(inRows, picture, q + step));
    const atSame = bytesAt(around, theirs.likeness);
    sums.set(q, [...(sums.get(q) ?? []), atSame / theirs.bytes]);
    const cells = [
      String(q),
      (theirs.bytes / 1024).toFixed(1),
      percent(ours.bytes, theirs.bytes),
      percent(atSame, theirs.bytes),
      (ours.likeness - theirs.likeness).toFixed(2),
      (ours.psnr - theirs.psnr).toFixed(2),
      `${(ours.ms / theirs.ms).toFixed(2)} x`,
    ];
    console.log(name.slice(-24).padEnd(24), ...cells.map((cell) => cell.padStart(10)));
  }
}
for (const [q, ratios] of sums) {
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  console.log(`mean at q ${q}: ${percent(mean, 1)} of bytes at the same SSIM`);
}
