/** WebP files of our encoder that may be without loss, and the pictures that they are compared with. */
import sharp from "sharp";
import { encodeWebp } from "../../../src/builder/codecs/webp/encoder.ts";
import { newMemory, type Picture, rowsOf, workspaceIn } from "../../../scripts/harness/png-rows.ts";
import { shown } from "./coloured-pictures.ts";
import { chunksOf } from "./webp-rows-reader.ts";

export const BATCH_ROWS = 16;

export async function encode(
  source: Picture,
  quality = 100,
  memory = newMemory(),
  roundedBits = 0,
): Promise<Buffer> {
  const options = { quality, mayBeLossless: true, roundedBits };
  return Buffer.concat((await encodeWebp(workspaceIn(memory), rowsOf(source, BATCH_ROWS), options)).chunks);
}

/** Returns an SVG as drawn by sharp, in RGB. */
export async function drawn(width: number, height: number, body: string): Promise<Picture> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`;
  const { data } = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width, height, layout: "rgb", data };
}

export const smallestOfLibwebp = ({ data, width, height }: Picture): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 3 } })
    .webp({ lossless: true, effort: 6 })
    .toBuffer();

export const SMALL_TEXT =
  `<rect width="300" height="200" fill="#f6f8fa"/>` +
  Array.from(
    { length: 12 },
    (_, i) => `<text x="5" y="${15 + i * 16}" font-size="12">Line ${i * 37}</text>`,
  ).join("");

export const isLossless = (file: Buffer): boolean => chunksOf(file).has("VP8L");

/** Decodes a file as libwebp does. */
export async function decoded(file: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return shown({ layout: "rgba", data, width: info.width, height: info.height });
}
