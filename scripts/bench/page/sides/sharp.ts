/** sharp on one thread: libjpeg-turbo or mozjpeg, libwebp, libaom. */
import sharp from "sharp";
import type { Run } from "../side-process.ts";
import type { Work } from "../works.ts";

sharp.concurrency(1);
sharp.cache(false);

/** Returns the build of sharp. It gives PNG no quality: with one, sharp reduces the picture to a palette. */
export const prepare =
  ({ width, to }: Work, file: Buffer, options: { quality: number; mozjpeg?: boolean }): Run =>
  async () => {
    const resized = sharp(file, { limitInputPixels: false }).autoOrient().resize(width);
    const encoded = to === "png" ? resized.png() : resized.toFormat(to, options);
    return (await encoded.toBuffer()).length;
  };
