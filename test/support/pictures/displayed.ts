/** Pictures as browsers show them, read by sharp. */
import sharp, { type Sharp } from "sharp";

/** Reads a file upright. Browsers ignore the EXIF orientation of WebP (src/image/formats/README.md). */
export async function displayed(file: Uint8Array): Promise<Sharp> {
  const { format } = await sharp(file).metadata();
  return format === "webp" ? sharp(file) : sharp(file).autoOrient();
}
