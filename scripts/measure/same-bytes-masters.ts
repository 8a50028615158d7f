/** One master of every kind that the builder treats in its own way, small but for a few. */
import type { Sharp } from "sharp";
import { sample } from "../samples/animation/samples.ts";
import { writeApng, writeGif, writeWebpAnimation } from "../samples/animation/writers.ts";
import { gridAvif } from "../samples/avif/grids.ts";
import { avifSequence } from "../samples/avif/sequence.ts";
import { cutout, image, photo, type Picture } from "../samples/pictures.ts";
import { samples } from "../samples/probe/samples.ts";
import {
  adobeRgb,
  grayGamma,
  intoJpeg,
  intoPng,
  linearRgb,
  proPhoto,
  TABLES,
  withCodePoints,
  withGamma,
} from "../samples/colour/profiles.ts";
import { drawings, exported } from "../samples/svg/svg.ts";

type Files = Record<string, Uint8Array>;

/** Odd sizes, so that every edge is a part of a block. */
const SIZE = [331, 247] as const;
const LARGE_SIZE = [2900, 2175] as const;

async function encoded(pictures: Record<string, Sharp>): Promise<Files> {
  const files: Files = {};
  for (const [name, picture] of Object.entries(pictures)) files[name] = await picture.toBuffer();
  return files;
}

function stills(opaque: Picture, clear: Picture): Promise<Files> {
  const [rgb, rgba] = [(): Sharp => image(opaque), (): Sharp => image(clear)];
  const turned: [string, Sharp][] = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((orientation) => [
    [`jpeg turned ${orientation}`, rgb().withMetadata({ orientation }).jpeg()],
    [
      `progressive jpeg turned ${orientation}`,
      rgb().withMetadata({ orientation }).jpeg({ progressive: true }),
    ],
  ]);
  return encoded({
    jpeg: rgb().jpeg(),
    "jpeg 4:4:4": rgb().jpeg({ chromaSubsampling: "4:4:4" }),
    "gray jpeg": rgb().toColourspace("b-w").jpeg(),
    "cmyk jpeg": rgb().toColourspace("cmyk").jpeg(),
    "cmyk progressive jpeg": rgb().toColourspace("cmyk").jpeg({ progressive: true }),
    ...Object.fromEntries(turned),
    png: rgb().png(),
    "png alpha": rgba().png(),
    "png alpha turned": rgba().withMetadata({ orientation: 7 }).png(),
    "png interlaced": rgba().png({ progressive: true }),
    "png palette": rgba().png({ palette: true }),
    "png gray": rgb().toColourspace("b-w").png(),
    "png 16 bit": rgb().toColourspace("rgb16").png(),
    webp: rgb().webp(),
    "webp alpha": rgba().webp(),
    "webp lossless": rgba().webp({ lossless: true }),
    "webp turned": rgb().withMetadata({ orientation: 6 }).webp(),
    avif: rgb().avif({ effort: 1 }),
    "avif 4:2:0": rgb().avif({ effort: 1, chromaSubsampling: "4:2:0" }),
    "avif alpha": rgba().avif({ effort: 1 }),
    "avif 10 bit": rgb().avif({ effort: 1, bitdepth: 10 }),
    gif: rgb().gif(),
    "gif with a hole": rgba().gif(),
  });
}

async function inColour(opaque: Picture): Promise<Files> {
  const jpeg = await image(opaque).jpeg().toBuffer();
  const cmyk = await image(opaque).toColourspace("cmyk").jpeg().toBuffer();
  const gray = await image(opaque).toColourspace("b-w").jpeg().toBuffer();
  const png = await image(opaque).png().toBuffer();
  const files: Files = {
    "jpeg Adobe RGB": intoJpeg(jpeg, adobeRgb),
    "jpeg ProPhoto": intoJpeg(jpeg, proPhoto),
    "jpeg gray profile": intoJpeg(gray, grayGamma),
    "png linear": intoPng(png, linearRgb),
    "png gamma": withGamma(png, 1),
    "png P3 code points": withCodePoints(png, 12, 13),
    "png HLG": withCodePoints(png, 9, 18),
    "png PQ": withCodePoints(png, 9, 16),
  };
  for (const [name, icc] of Object.entries(TABLES))
    files[`jpeg ${name}`] = intoJpeg(name.endsWith("CMYK") ? cmyk : jpeg, icc);
  for (const format of ["webp", "avif", "png"] as const)
    files[`${format} P3`] = await image(opaque).withIccProfile("p3").toFormat(format).toBuffer();
  return files;
}

async function animations(): Promise<Files> {
  const graphic = await sample("graphic", 4);
  const sticker = await sample("sticker", 3);
  const { width, height, data } = await cutout(64, 48);
  const whole = { left: 0, top: 0, width, height, rgba: data, delayMs: 50 };
  const patch = { left: 10, top: 8, width: 20, height: 12, rgba: data.subarray(0, 20 * 12 * 4), delayMs: 70 };
  const frames = [whole, { ...patch, blends: true, dispose: 1 }, { ...patch, left: 30 }];
  const restored = [whole, { ...patch, dispose: 2 }, patch];
  const indices = Uint8Array.from({ length: 30 * 20 }, (_, i) => i & 3);
  const palette = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255];
  const part = { left: 4, top: 2, width: 30, height: 20, indices, interlaced: true };
  const gifFrames = [1, 2, 3].map((disposal) => ({ ...part, disposal, transparent: 1, delay: 4 }));
  return {
    "animated gif": graphic.gif,
    "animated gif sticker": sticker.gif,
    "animated webp": graphic.webp,
    "animated webp sticker": sticker.webp,
    "animated gif interlaced": writeGif({ width: 40, height: 30, palette, loop: 0, frames: gifFrames }),
    "animated webp lossless": await writeWebpAnimation({ width, height, frames }),
    "animated png": writeApng({ width, height, frames: restored }),
    "animated png with poster": writeApng({ width, height, frames, poster: data }),
  };
}

async function grids(opaque: Picture, clear: Picture): Promise<Files> {
  const tile = { tileWidth: 128, tileHeight: 64 };
  const stillFrames: Uint8Array[] = [];
  for (const seed of [1, 2])
    stillFrames.push(
      await image(await photo(64, 48, seed))
        .avif({ effort: 1 })
        .toBuffer(),
    );
  return {
    "avif grid": gridAvif(opaque, { ...tile, subsample: 1 }),
    "avif grid 4:4:4": gridAvif(opaque, { ...tile, subsample: 3 }),
    "avif grid alpha": gridAvif(clear, { ...tile, alpha: "grid" }),
    "avif grid 10 bit": gridAvif(opaque, { ...tile, bitDepth: 10 }),
    "avif sequence": avifSequence(stillFrames, 64, 48),
  };
}

/** Returns masters that are built in strips, in tiles, and from a canvas of planes. */
async function large(): Promise<Files> {
  const opaque = await photo(...LARGE_SIZE);
  const clear = await cutout(...LARGE_SIZE);
  return encoded({
    "large jpeg": image(opaque).jpeg(),
    "large progressive jpeg turned": image(opaque)
      .withMetadata({ orientation: 6 })
      .jpeg({ progressive: true }),
    "large jpeg turned": image(opaque).withMetadata({ orientation: 8 }).jpeg(),
    "large png interlaced": image(clear).png({ progressive: true, compressionLevel: 3 }),
    "large png": image(opaque).png({ compressionLevel: 3 }),
    "large webp alpha": image(clear).webp({ effort: 0 }),
    "large webp": image(opaque).webp({ effort: 0 }),
  });
}

/** Returns the masters by name. The same machine makes the same files every time. */
export async function mastersForSameBytes(): Promise<Files> {
  const [opaque, clear] = [await photo(...SIZE), await cutout(...SIZE)];
  const vectors = [...drawings, ...exported].map(([name, file]): [string, Uint8Array] => [
    `svg ${name}`,
    file,
  ]);
  const probed = Object.entries(await samples()).map(([name, file]) => [`probe sample ${name}`, file]);
  return {
    ...(await stills(opaque, clear)),
    ...(await inColour(opaque)),
    ...(await animations()),
    ...(await grids(opaque, clear)),
    ...(await large()),
    ...(Object.fromEntries([...vectors, ...probed]) as Files),
  };
}
