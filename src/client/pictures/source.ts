/**
 * A picture as one string, because components of frameworks pass nothing else to their loaders. It has the address of
 * the file, the part to show, and after `#` what a loader must know about the master: `#1600x1067`, `#1600x1067+vector`
 * or `#1600x1067+animated`. Browsers never send the text after `#`, and loaders remove it.
 */
import type { Size } from "../../image/geometry/size.ts";
import { readBackground } from "../../image/model/background.ts";
import { QUALITIES, type Quality } from "../../image/model/variant.ts";
import { FORMATS, OUTPUT_FORMATS, type OutputFormat } from "../../image/formats/registry.ts";
import { parseRatio } from "../../image/geometry/aspect-ratio.ts";
import { CROP } from "../../limits.ts";
import { fileAddress, readAddress } from "./address.ts";
import { isVector, type FileOptions, type FocalPoint, type Picture } from "./picture.ts";

export interface MasterNotes {
  size: Size;
  kind: "still" | "animated" | "vector";
}

const NOTES = /^([1-9]\d*)x([1-9]\d*)(?:\+(animated|vector))?$/;

/** Reads the text after `#`; null if it has another form. */
export function readNotes(fragment: string): MasterNotes | null {
  const [, width, height, kind = "still"] = NOTES.exec(fragment) ?? [];
  if (width === undefined) return null;
  return { size: { width: Number(width), height: Number(height) }, kind: kind as MasterNotes["kind"] };
}

function notesOf(picture: Picture): string {
  const kind = isVector(picture) ? "+vector" : picture.animated ? "+animated" : "";
  return `${picture.width}x${picture.height}${kind}`;
}

/** Returns the nearest quality of the service that is not lower; null without one. */
export function qualityOf(value: unknown): Quality | null {
  const number = Number(value ?? NaN);
  if (!(number > 0)) return null;
  return QUALITIES.find((quality) => quality >= number) ?? 100;
}

/** Returns the requested format; null for the best one that the browser accepts. */
export function formatOf(value: unknown): OutputFormat | null {
  return OUTPUT_FORMATS.find((format) => format === value || FORMATS[format].extension === value) ?? null;
}

/** Returns the value of `fp`: shares from 0 to 1 in steps of 0.05 (RULES 5.10). @throws TypeError */
export function focalPointText({ x, y }: FocalPoint): string {
  const steps = 100 / CROP.requestedFocalPointStepPercent;
  const share = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * steps) / steps;
  const text = `${share(x)},${share(y)}`;
  if (text.includes("NaN")) throw new TypeError("A focal point is {x, y}, two numbers from 0 to 1");
  return text;
}

/** Returns the focal point of crops, if it is known. A crop whose address lacks it is not immutable (RULES 7.7). */
export function knownFocalPoint(picture: Picture): FocalPoint | null {
  if (picture.focalPoint === undefined) return null;
  return picture.focalPoint ?? picture.focalPointSuggested ?? { x: 0.5, y: 0.5 };
}

/** @throws TypeError for a ratio that is not `W:H` */
export function checkedRatio(ratio: string | undefined): string | null {
  if (ratio === undefined) return null;
  if (!parseRatio(ratio)) throw new TypeError(`A ratio is W:H, such as 16:9, but this is ${ratio}`);
  return ratio;
}

/** Returns the background in lower case; null without one. @throws TypeError for another value */
export function checkedBackground(background: string | undefined): string | null {
  if (background === undefined) return null;
  const read = readBackground(background);
  if (read !== undefined) return read;
  throw new TypeError(`A background is six hexadecimal digits or transparent, but this is ${background}`);
}

const settingsQuality = ({ formats }: Picture): string | null =>
  (formats && readAddress(formats.large.directUrl)?.query.get("q")) ?? null;

/**
 * Returns the string that `fileOf` reads; `directUrl` itself if it is not a picture.
 * @throws TypeError for a malformed option
 */
export function sourceOf(picture: Picture, options: Omit<FileOptions, "width"> = {}): string {
  const address = readAddress(picture.directUrl);
  if (!address) return picture.directUrl;
  const ratio = checkedRatio(options.ratio);
  const focalPoint = options.focalPoint ?? knownFocalPoint(picture);
  const isPadded = ratio !== null && options.fit === "pad";
  const parameters = {
    ar: ratio,
    fp: ratio !== null && focalPoint && !isPadded ? focalPointText(focalPoint) : null,
    fit: isPadded ? "pad" : null,
    bg: checkedBackground(options.background),
    q: qualityOf(options.quality ?? settingsQuality(picture)),
    fm: formatOf(options.format),
    v: address.query.get("v"),
  };
  return fileAddress(address, parameters, notesOf(picture));
}
