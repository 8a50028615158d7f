/** Masters with several frames, in which a ball rolls over a photograph. They are kept in .bench/. */
import sharp, { type Sharp } from "sharp";
import { cached, drawPhoto, SIZES, type Megapixels } from "../masters/photographs.ts";
import type { MasterKind } from "../masters/kinds.ts";

const FRAMES = 4;
const BALL = 120;

async function frames(megapixels: Megapixels): Promise<Sharp> {
  const [width, height] = SIZES[megapixels];
  const ground = await (await drawPhoto(width, height)).png({ compressionLevel: 1 }).toBuffer();
  const ball = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${BALL}" height="${BALL}"><circle cx="60" cy="60" r="60" fill="#d33"/></svg>`,
  );
  const pages = await Promise.all(
    Array.from({ length: FRAMES }, (_, i) =>
      sharp(ground)
        .composite([{ input: ball, left: i * BALL, top: i * BALL }])
        .ensureAlpha()
        .raw()
        .toBuffer(),
    ),
  );
  const raw = { width, height: height * FRAMES, channels: 4 as const, pageHeight: height };
  return sharp(Buffer.concat(pages), { raw, limitInputPixels: false });
}

const rolling =
  (name: string, encode: (picture: Sharp) => Sharp) =>
  (megapixels: Megapixels): Promise<Buffer> =>
    cached(`rolling-${megapixels}.${name}`, async () => encode(await frames(megapixels)).toBuffer());

export const ANIMATIONS: readonly MasterKind[] = [
  {
    name: "gif-animated",
    label: "GIF, animated",
    megapixels: [1, 2, 4],
    make: rolling("gif", (picture) => picture.gif({ effort: 1, dither: 0 })),
  },
  {
    name: "webp-animated",
    label: "WebP, animated",
    megapixels: [1, 2, 4],
    make: rolling("webp", (picture) => picture.webp({ quality: 86, effort: 0 })),
  },
];
