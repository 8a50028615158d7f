/** Makes files by all our encoders, of pictures of every kind, which are then shown in browsers. */
import sharp from "sharp";
import { encodeAvifRows } from "../../src/builder/codecs/avif/row-encoder.ts";
import { rowAvifOptions } from "../../src/image/formats/avif/encoder-options.ts";
import type { Quality } from "../../src/image/model/variant.ts";
import { pictureOf, type Kind } from "../samples/avif-pictures.ts";
import { bitmap, build } from "./builds.ts";
import { newMemory, type Picture as RowPicture, rowsOf, workspaceIn } from "./png-rows.ts";
import type { Picture } from "../samples/pictures.ts";
import type { Bitmap } from "./ssim.ts";
import { onGround } from "../samples/svg/svg.ts";
import { byLibwebp, encode as encodeWebpRows } from "../samples/webp-rows-pictures.ts";

/**
 * How much lower the PSNR of the WebP row encoder may be than libwebp's at the same quality, in dB. It optimises a
 * perceptual score, so its PSNR of a drawing is lower. `npm run bench bytes` compares both at the same score.
 */
const WEBP_LOST_MAX_DB = 1.5;

export interface Output {
  name: string;
  type: string;
  keepsAlpha: boolean;
  encode(picture: Picture): Promise<Uint8Array>;
  /** Makes the same picture by an encoder that holds it whole; null if there is none. */
  single: ((picture: Picture) => Promise<Uint8Array>) | null;
  /** How much lower the PSNR may be than that of `single`, in dB. LOST_MAX_DB by default. */
  lostMax?: number;
}

const WHITE = 255;
/** Four tiles to a side, of which a picture of one superblock has one. */
const TILES_LOG2 = { columns: 2, rows: 2 };

const asPng = ({ data, width, height, channels }: Picture): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels } }).png({ compressionLevel: 1 }).toBuffer();

const inRgba = (picture: Picture): RowPicture => ({ ...picture, layout: "rgba" });

const chromaOf = (quality: Quality): "420" | "444" => (quality === 80 ? "420" : "444");

async function avifFile(picture: Picture, quality: Quality, isTiled: boolean): Promise<Uint8Array> {
  const options = {
    ...rowAvifOptions(quality, chromaOf(quality)),
    ...(isTiled ? { tilesLog2: TILES_LOG2 } : {}),
  };
  return Buffer.concat(await encodeAvifRows(workspaceIn(newMemory()), rowsOf(inRgba(picture)), options));
}

const built =
  (format: "jpeg" | "png", quality: Quality) =>
  async (picture: Picture): Promise<Uint8Array> =>
    (await build(await asPng(picture), { format, quality })).bytes;

const avif = (name: string, quality: Quality): Output => ({
  name,
  type: "image/avif",
  keepsAlpha: true,
  encode: (picture) => avifFile(picture, quality, true),
  single: (picture) => avifFile(picture, quality, false),
});

export const OUTPUTS: readonly Output[] = [
  { name: "JPEG, q 80", type: "image/jpeg", keepsAlpha: false, encode: built("jpeg", 80), single: null },
  { name: "JPEG, q 100", type: "image/jpeg", keepsAlpha: false, encode: built("jpeg", 100), single: null },
  { name: "PNG in rows", type: "image/png", keepsAlpha: true, encode: built("png", 80), single: null },
  {
    name: "WebP in rows",
    lostMax: WEBP_LOST_MAX_DB,
    type: "image/webp",
    keepsAlpha: true,
    encode: (picture) => encodeWebpRows(inRgba(picture), 80),
    single: (picture) => byLibwebp(inRgba(picture), 80),
  },
  avif("AVIF in tiles", 80),
  avif("AVIF in tiles, 4:4:4", 100),
];

/** Returns a test picture: opaque, or with a soft hole and a hard edge in its alpha. */
export async function subject(
  kind: Kind,
  width: number,
  height: number,
  hasAlpha: boolean,
): Promise<Picture> {
  const picture = await pictureOf(kind, width, height);
  if (!hasAlpha) return picture;
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [(i % width) / width, Math.floor(i / width) / height];
    const soft = (Math.hypot(x - 0.4, y - 0.5) - 0.1) * 1500;
    picture.data[i * 4 + 3] = x > 0.8 && y > 0.5 ? 0 : Math.max(0, Math.min(255, soft));
  }
  return picture;
}

/** Returns the picture on a white page, as `img` shows it. Colours of fully transparent pixels do not matter. */
export const seen = (rgba: Bitmap): Bitmap => onGround(rgba, WHITE);

export const seenBySharp = async (file: Uint8Array): Promise<Bitmap> => seen(await bitmap(sharp(file), 4));
