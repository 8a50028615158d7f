/** Reads the values of image parameters (RULES 5.2), and says which ones there are. Undefined stands for a malformed value. */
import { DELIVERY } from "../../limits.ts";
import { FORMATS, OUTPUT_FORMATS, type OutputFormat } from "../formats/registry.ts";
import { QUALITIES, type Quality } from "../model/variant.ts";
import type { PictureParameters } from "./parameter.ts";

export const SIDE_MIN = DELIVERY.widthMinPixels;
export const SIDE_MAX = DELIVERY.widthMaxPixels;
const SIDE = /^[1-9]\d{0,3}$/;
const QUALITY = /^(?:[1-9]\d?|100)$/;
const DENSITY = /^[1-4](?:\.\d{1,2})?$/;
export const DENSITY_MAX = DELIVERY.densityMax;

const PLAIN = "without sign, space or leading zero";
export const SIDE_RULE = `must be a whole number from ${SIDE_MIN} to ${SIDE_MAX}, ${PLAIN}`;
export const QUALITY_RULE = `must be a whole number from 1 to 100, ${PLAIN}; it is rounded up to ${QUALITIES.join(", ")}`;
export const DENSITY_RULE = `must be a number from 1 to ${DENSITY_MAX} with at most two decimals`;
export const FORMAT_RULE = `must be one of ${OUTPUT_FORMATS.join(", ")}, jpg`;
export const FIT_RULE = "must be one of crop, inside, pad";
export const AUTO_RULE = "must be format, compress, or both separated by a comma";

/** Reads a width or a height. */
export const readSide = (text: string): number | undefined =>
  SIDE.test(text) && Number(text) <= SIDE_MAX ? Number(text) : undefined;

/** Reads a quality from 1 to 100, rounded up to one that encoders have. */
export const readQuality = (text: string): Quality | undefined =>
  QUALITY.test(text) ? QUALITIES.find((quality) => quality >= Number(text)) : undefined;

/** Reads the pixels per CSS pixel, in hundredths. */
export function readDensity(text: string): number | undefined {
  const density = DENSITY.test(text) ? Math.round(100 * Number(text)) : undefined;
  return density !== undefined && density <= 100 * DENSITY_MAX ? density : undefined;
}

/** Reads the name of a format, or the extension of its files. */
export const readFormat = (text: string): OutputFormat | undefined =>
  OUTPUT_FORMATS.find((format) => format === text || FORMATS[format].extension === text);

/** Reads how a picture meets another ratio. A crop is null. */
export function readFit(text: string): PictureParameters["fit"] | undefined {
  if (text === "crop") return null;
  return text === "inside" || text === "pad" ? text : undefined;
}

/** Reads a list of what is chosen automatically. */
export function readAuto(text: string): PictureParameters["auto"] | undefined {
  const members = text.split(",");
  if (!members.every((one) => one === "format" || one === "compress")) return undefined;
  return members.includes("format") ? "format" : "compress";
}
