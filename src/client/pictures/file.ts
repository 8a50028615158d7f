/** Finds the file that a component asks for, and its only address. */
import { nearestRatio } from "../../image/geometry/aspect-ratio.ts";
import { widthInside } from "../../image/geometry/grid.ts";
import type { Size } from "../../image/geometry/size.ts";
import { type OutputFormat, variantTraits } from "../../image/formats/registry.ts";
import { CROP, DELIVERY } from "../../limits.ts";
import { fileAddress, readAddress, type Address } from "./address.ts";
import { ladderOf, stepFor } from "./ladder.ts";
import type { FocalPoint } from "./picture.ts";
import {
  checkedBackground,
  checkedRatio,
  focalPointText,
  formatOf,
  qualityOf,
  readNotes,
  type MasterNotes,
} from "./source.ts";

/** The options of a component. Missing ones are taken from the address. */
export interface Wanted {
  /** In pixels. */
  width?: number | undefined;
  /** The box that the picture fills. It is cropped to the nearest of the service's ratios if one is within 1 %. */
  box?: Size | undefined;
  ratio?: string | undefined;
  focalPoint?: FocalPoint | undefined;
  fit?: string | undefined;
  background?: string | undefined;
  quality?: unknown;
  format?: unknown;
}

export interface PictureFile {
  url: string;
  /** The width in pixels; that of the grid if the master's is unknown. */
  width: number;
}

function isNear(a: Size, b: Size): boolean {
  const [ours, theirs] = [a.width * b.height, b.width * a.height];
  return 100 * Math.abs(ours - theirs) <= CROP.nearestRatioMaxPercent * ours;
}

function nearest({ width, height }: Size): string | null {
  return width > 0 && height > 0 ? nearestRatio(CROP.aspectRatiosDefault, { width, height }) : null;
}

/** Returns the box given by `w` and `h` of an address, to which the service crops (RULES 5.7). */
const boxOf = ({ query }: Address): Size => ({
  width: Number(query.get("w")),
  height: Number(query.get("h")),
});

function ratioOf(address: Address, notes: MasterNotes | null, { ratio, box }: Wanted): string | null {
  const named = checkedRatio(ratio) ?? address.query.get("ar") ?? nearest(boxOf(address));
  // A box with the picture's own ratio does not crop.
  if (named !== null || !box || (notes && isNear(notes.size, box))) return named;
  return nearest(box);
}

/** Returns the requested format; null for an animation if the format is for stills, which would be refused (RULES 6.2). */
function formatFor(asked: unknown, notes: MasterNotes | null): OutputFormat | null {
  const format = formatOf(asked);
  if (format === null || notes?.kind !== "animated") return format;
  return variantTraits(format).holdsFrames ? format : null;
}

/** Returns the file of a picture; null if `src` is not the address of a picture. */
export function fileOf(src: string, wanted: Wanted): PictureFile | null {
  const address = readAddress(src);
  if (!address) return null;
  const { query } = address;
  const notes = readNotes(address.fragment);
  const fit = wanted.fit ?? query.get("fit");
  if (fit === "inside") return insideOf(address, notes, wanted);
  const ratio = ratioOf(address, notes, wanted);
  // The ratio of the box is known only to the space, so no other width can be computed.
  if (ratio === null && query.has("w") && query.has("h")) return null;
  return fileWith(address, notes, wanted, { ratio, isPadded: fit === "pad" && ratio !== null });
}

/** Finds the file of a picture that stands whole inside a box; null if the size of the picture is not known. */
function insideOf(address: Address, notes: MasterNotes | null, wanted: Wanted): PictureFile | null {
  const { width, height } = boxOf(address);
  const density = Number(address.query.get("dpr") ?? 1);
  const scaled = (side: number): number => Math.min(DELIVERY.widthMaxPixels, Math.ceil(side * density));
  const box = { width: scaled(width), height: scaled(height) };
  const fits = notes && width > 0 && height > 0 ? widthInside(box, notes.size) : undefined;
  if (wanted.width === undefined && fits === undefined) return null;
  return fileWith(
    address,
    notes,
    { ...wanted, width: wanted.width ?? fits },
    { ratio: null, isPadded: false },
  );
}

/** Finds the file of the shown part of the picture. */
function fileWith(
  address: Address,
  notes: MasterNotes | null,
  wanted: Wanted,
  { ratio, isPadded }: { ratio: string | null; isPadded: boolean },
): PictureFile {
  const { query } = address;
  const fm = formatFor(wanted.format ?? query.get("fm"), notes);
  const v = query.get("v");
  const isVector = notes?.kind === "vector";
  // The vector itself, which is sharp at every width.
  if (isVector && ratio === null && fm === null) {
    return { url: fileAddress(address, { v }), width: notes.size.width };
  }
  const width = wanted.width ?? Number(query.get("w") ?? NaN) * Number(query.get("dpr") ?? 1);
  const ladder = ladderOf(notes && { master: notes.size, ratio, isPadded, isVector }, fm);
  const last = notes ? ladder.at(-1) : null;
  const step = width > 0 ? stepFor(ladder, width) : last;
  const focalPoint = wanted.focalPoint ? focalPointText(wanted.focalPoint) : query.get("fp");
  const parameters = {
    w: step?.w,
    // Without a width, the height determines the size of the file.
    h: step ? null : query.get("h"),
    dpr: step ? null : query.get("dpr"),
    ar: ratio,
    fp: ratio === null || isPadded ? null : focalPoint,
    fit: isPadded ? "pad" : null,
    bg: checkedBackground(wanted.background) ?? query.get("bg"),
    q: qualityOf(wanted.quality ?? query.get("q")),
    fm,
    auto: fm === null ? "format" : null,
    v,
  };
  return { url: fileAddress(address, parameters), width: step?.width ?? 0 };
}

/** Returns the address of the file; `src` itself if it is not the address of a picture. */
export const fileUrl = (src: string, wanted: Wanted): string => fileOf(src, wanted)?.url ?? src;
