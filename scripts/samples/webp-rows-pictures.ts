/** Pictures for the row encoder for WebP, and short ways to its files and to libwebp's. */
import sharp from "sharp";
import type { RowSource } from "../../src/builder/pixels/row-source.ts";
import { CHANNELS_OF } from "../../src/image/memory/rows.ts";
import { encodeWebp } from "../../src/builder/codecs/webp/encoder.ts";
import { newMemory, type Picture, rowsOf, workspaceIn } from "../harness/png-rows.ts";

export type Kind = "photo" | "drawing" | "gradient" | "noise";
export const KINDS: Kind[] = ["photo", "drawing", "gradient", "noise"];

/** Returns noise of every scale, each half as strong as the one before: the value at (x, y) of one channel. */
function clouds(x: number, y: number, channel: number): number {
  let sum = 0;
  for (let scale = 64, strength = 64; scale >= 1; scale /= 2, strength /= 1.8) {
    const [column, row] = [Math.floor(x / scale), Math.floor(y / scale)];
    const [dx, dy] = [smooth(x / scale - column), smooth(y / scale - row)];
    const top = grain(column, row, channel) * (1 - dx) + grain(column + 1, row, channel) * dx;
    const low = grain(column, row + 1, channel) * (1 - dx) + grain(column + 1, row + 1, channel) * dx;
    sum += strength * (top * (1 - dy) + low * dy);
  }
  return 128 + sum;
}

const smooth = (t: number): number => t * t * (3 - 2 * t);

/** Returns grain, from -1 to 1, the same for the same place. */
export function grain(x: number, y: number, channel: number): number {
  let hash = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b) ^ Math.imul(channel >> 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 31 - 1;
}

function sampleOf(kind: Kind, x: number, y: number, channel: number): number {
  switch (kind) {
    case "photo":
      return clouds(x, y, channel) + ((x >> 5) + (y >> 6)) * (channel === 0 ? 3 : -2);
    case "drawing":
      return ((x >> 4) + (y >> 4)) % 3 === 0 ? 250 : Math.hypot(x - 40, y - 30) < 25 ? 20 : 90 + 50 * channel;
    case "gradient":
      return x * 0.9 + y * 0.6 + 30 * channel;
    case "noise":
      return 128 + 127 * grain(x, y, 2 * channel);
  }
}

/** Returns the alpha of a soft hole with a hard edge beside it; most of the picture is opaque. */
function alphaAt(x: number, y: number): number {
  if (x > 50 && y > 20 && x < 58) return 0;
  return 12 * Math.hypot(x - 20, y - 18) - 60;
}

export function picture(
  kind: Kind,
  width: number,
  height: number,
  layout: Picture["layout"] = "rgb",
): Picture {
  const channels = CHANNELS_OF[layout];
  const hasAlpha = layout === "rgba" || layout === "gray-alpha";
  const data = new Uint8ClampedArray(width * height * channels);
  for (let i = 0; i < data.length; i++) {
    const [channel, pixel] = [i % channels, Math.floor(i / channels)];
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    data[i] = hasAlpha && channel === channels - 1 ? alphaAt(x, y) : sampleOf(kind, x, y, channel);
  }
  return { width, height, layout, data: new Uint8Array(data.buffer) };
}

export async function encode(
  source: Picture,
  quality: number,
  memory = newMemory(4096),
  batch = 7,
): Promise<Buffer> {
  return encodeSource(rowsOf(source, batch), quality, memory);
}

export async function encodeSource(
  source: RowSource,
  quality: number,
  memory: WebAssembly.Memory,
): Promise<Buffer> {
  const { chunks, byteLength } = await encodeWebp(workspaceIn(memory), source, { quality });
  const file = Buffer.concat(chunks);
  if (file.length !== byteLength) throw new Error(`${byteLength} bytes were promised, ${file.length} came`);
  return file;
}

/** Returns libwebp's file of the same picture at the same quality, by its method 2. */
export async function byLibwebp(source: Picture, quality: number): Promise<Buffer> {
  const { width, height, data } = source;
  const channels = CHANNELS_OF[source.layout] as 1 | 2 | 3 | 4;
  return sharp(data, { raw: { width, height, channels } }).webp({ quality, effort: 2 }).toBuffer();
}

/** Decodes a file by sharp, to the layout of a picture. */
export async function decoded(file: Buffer, like: Picture): Promise<Uint8Array> {
  const { width, height, layout } = like;
  const channels = CHANNELS_OF[layout];
  const hasAlpha = channels === 2 || channels === 4;
  const image = hasAlpha ? sharp(file).ensureAlpha() : sharp(file).removeAlpha();
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  if (info.width !== width || info.height !== height) {
    throw new Error(`It is ${info.width} x ${info.height}, not ${width} x ${height}`);
  }
  if (channels >= 3) return data;
  // WebP knows no gray: green stands for it, and alpha is the last of four.
  const out = new Uint8Array(like.data.length);
  for (let i = 0; i < width * height; i++) {
    out[i * channels] = data[i * info.channels + 1] ?? 0;
    if (hasAlpha) out[i * channels + 1] = data[i * info.channels + 3] ?? 0;
  }
  return out;
}
