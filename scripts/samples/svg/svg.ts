/** Drawings: fixtures, and their rasters by sharp (librsvg). */
import { readdirSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { sanitizeSvg } from "../../../src/image/formats/svg/safe/sanitize.ts";
import type { Bitmap } from "../../harness/ssim.ts";
import type { SafeSvg } from "../../../src/image/formats/svg/safe/safe-svg.ts";

const FOLDER = new URL("../../../test/fixtures/svg/", import.meta.url);
const DOTS_PER_INCH = 96;

/** Harmless drawings as design tools write them, by their file name. */
export const drawings: [name: string, file: Buffer][] = readdirSync(FOLDER)
  .sort()
  .map((name) => [name, readFileSync(new URL(name, FOLDER))]);

const EXPORTS = new URL("../../../test/fixtures/svg-exports/", import.meta.url);

/** Drawings that imitate, in little, the files of exporters: structure, style sheets, and how they use newer CSS. */
export const exported: [name: string, file: Buffer][] = readdirSync(EXPORTS)
  .sort()
  .map((name) => [name, readFileSync(new URL(name, EXPORTS))]);

export const drawing = (name: string): Buffer => readFileSync(new URL(name, FOLDER));

export const sanitize = (text: string): SafeSvg => sanitizeSvg(new TextEncoder().encode(text));

/** Returns a drawing of 100 x 100 with `body` in it. */
export const svg = (body: string, attributes = ""): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100" ${attributes}>${body}</svg>`;

/** Returns RGBA as librsvg draws it, `width` pixels wide. */
export async function drawnBySharp(
  file: Uint8Array,
  facts: { width: number; height: number },
  width = facts.width,
): Promise<Bitmap> {
  const density = (DOTS_PER_INCH * width) / facts.width;
  const height = Math.max(1, Math.round((facts.height * width) / facts.width));
  const { data, info } = await sharp(Buffer.from(file), { density })
    .resize(width, height, { fit: "fill" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels, data };
}

/** Returns the picture as seen on a ground of one colour: fully transparent pixels have no colour to compare. */
export function onGround({ width, height, data }: Bitmap, ground: number): Bitmap {
  const seen = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < seen.length; from += 4, to += 3) {
    const alpha = data[from + 3]!;
    const rest = ground * (255 - alpha);
    // Stored without its fraction, so half a step more rounds it.
    seen[to] = (data[from]! * alpha + rest) / 255 + 0.5;
    seen[to + 1] = (data[from + 1]! * alpha + rest) / 255 + 0.5;
    seen[to + 2] = (data[from + 2]! * alpha + rest) / 255 + 0.5;
  }
  return { width, height, channels: 3, data: seen };
}
