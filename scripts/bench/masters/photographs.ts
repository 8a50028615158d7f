/**
 * Masters for the bench: pictures that look like photographs to a codec, with detail at every scale down to the
 * sensor's grain. They are the same every time. They are made once and kept in .bench/.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { photo } from "../../samples/pictures.ts";

const FOLDER = ".bench";
/** Raise it when the pictures change. */
const EDITION = 1;

/** The width and height of a 4:3 photo, by megapixels. */
export const SIZES = {
  1: [1152, 864],
  2: [1632, 1224],
  4: [2304, 1728],
  8: [3264, 2448],
  12: [4000, 3000],
  24: [5656, 4242],
  48: [8000, 6000],
  80: [10_320, 7740],
} as const;

export type Megapixels = keyof typeof SIZES;
export type Kind = "jpeg" | "progressive" | "png";

const BASE_WIDTH = 1600;
const BASE_HEIGHT = 1200;
const TILE = 512;
/** Detail finer than the base picture: the size of its grains in pixels, and their strength. */
const DETAIL: readonly [grain: number, strength: number][] = [
  [8, 26],
  [3, 20],
  [1, 12],
];
const JPEG_QUALITY = 86;

/** Returns a square of seeded noise around 0, with grains of `grain` pixels. */
async function noiseTile(grain: number, strength: number, seed: number): Promise<Int8Array> {
  let state = seed;
  const cells = Math.ceil(TILE / grain);
  const cell = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  const raw = { width: cells, height: cells, channels: 3 as const };
  const noise = await sharp(Buffer.from(Array.from({ length: cells * cells * 3 }, cell)), { raw })
    .resize(TILE, TILE, { kernel: "cubic", fit: "fill" })
    .raw()
    .toBuffer();
  return Int8Array.from(noise, (value) => Math.round(((value - 128) * strength) / 128));
}

/** Returns the enlarged base picture, with detail added to it. */
export async function drawPhoto(width: number, height: number): Promise<Sharp> {
  const base = await photo(BASE_WIDTH, BASE_HEIGHT);
  const large = sharp(base.data, { raw: { width: base.width, height: base.height, channels: 3 } });
  const data = await large.resize(width, height, { fit: "fill" }).raw().toBuffer();
  for (const [index, [grain, strength]] of DETAIL.entries()) {
    const tile = await noiseTile(grain, strength, index + 1);
    for (let y = 0; y < height; y++) {
      const row = (y % TILE) * TILE * 3;
      // Shifted from tile to tile, so that no encoder profits from the repetition.
      const shift = Math.floor(y / TILE) * 3 * 101;
      for (let i = 0, at = y * width * 3; i < width * 3; i++, at++) {
        const value = (data[at] as number) + (tile[row + ((i + shift) % (TILE * 3))] as number);
        data[at] = value < 0 ? 0 : value > 255 ? 255 : value;
      }
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });
}

const pathOf = (name: string): string => join(FOLDER, `${EDITION}-${name}`);

/** Returns the path of the file that `photoMaster` keeps. */
export const masterPath = (kind: Kind, megapixels: Megapixels): string =>
  pathOf(`photo-${megapixels}.${kind}`);

/** Reads a file in .bench/. If it is missing, `make` makes it. */
export async function cached(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const path = pathOf(name);
  if (existsSync(path)) return readFileSync(path);
  mkdirSync(FOLDER, { recursive: true });
  const file = await make();
  writeFileSync(path, file);
  return file;
}

/** Returns a photo of this size. */
export function photoMaster(kind: Kind, megapixels: Megapixels): Promise<Buffer> {
  const [width, height] = SIZES[megapixels];
  return cached(`photo-${megapixels}.${kind}`, async () => {
    const image = await drawPhoto(width, height);
    if (kind === "png") return image.png({ compressionLevel: 6 }).toBuffer();
    const progressive = kind === "progressive";
    return image.jpeg({ quality: JPEG_QUALITY, progressive, optimizeCoding: progressive }).toBuffer();
  });
}
