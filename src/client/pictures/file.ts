/** The file of a picture that a component asks for: its one address, whatever width, quality and format are meant. */
import { nearestRatio } from "../../image/model/aspect-ratio.ts";
import type { Size } from "../../image/model/size.ts";
import type { OutputFormat } from "../../image/model/variant.ts";
import { CROP } from "../../limits.ts";
import { fileAddress, readAddress, type Address } from "./address.ts";
import { ladderOf, stepFor } from "./ladder.ts";
import type { FocalPoint } from "./picture.ts";
import { checkedRatio, focalPointText, formatOf, qualityOf, readNotes, type MasterNotes } from "./source.ts";

/** What a component asks for. What it leaves out is taken from the address. */
export interface Wanted {
  /** Pixels. */
  width?: number | undefined;
  /** The box that the picture fills, cropped to the nearest of the service's ratios where one is within 1 %. */
  box?: Size | undefined;
  ratio?: string | undefined;
  focalPoint?: FocalPoint | undefined;
  quality?: unknown;
  format?: unknown;
}

export interface PictureFile {
  url: string;
  /** Pixels; the width of the grid where nothing is known of the master. */
  width: number;
}

function isNear(a: Size, b: Size): boolean {
  const [ours, theirs] = [a.width * b.height, b.width * a.height];
  return 100 * Math.abs(ours - theirs) <= CROP.nearestRatioMaxPercent * ours;
}

function nearest({ width, height }: Size): string | null {
  return width > 0 && height > 0 ? nearestRatio(CROP.aspectRatiosDefault, { width, height }) : null;
}

/** The box that `w` and `h` of an address make, which crops (RULES 5.7). */
const boxOf = ({ query }: Address): Size => ({
  width: Number(query.get("w")),
  height: Number(query.get("h")),
});

function ratioOf(address: Address, notes: MasterNotes | null, { ratio, box }: Wanted): string | null {
  const named = checkedRatio(ratio) ?? address.query.get("ar") ?? nearest(boxOf(address));
  // A box that has the picture's own ratio crops nothing.
  if (named !== null || !box || (notes && isNear(notes.size, box))) return named;
  return nearest(box);
}

/** An animation has no still format; asking for one would be refused (RULES 6.2). */
function formatFor(asked: unknown, notes: MasterNotes | null): OutputFormat | null {
  const format = formatOf(asked);
  return notes?.kind === "animated" && format !== "webp" ? null : format;
}

/** Null when `src` is no address of a picture. @throws TypeError for a malformed ratio or focal point */
export function fileOf(src: string, wanted: Wanted): PictureFile | null {
  const address = readAddress(src);
  if (!address) return null;
  const { query } = address;
  const notes = readNotes(address.fragment);
  const ratio = ratioOf(address, notes, wanted);
  // A box in a ratio that only the space knows: no other width of it can be asked for.
  if (ratio === null && query.has("w") && query.has("h")) return null;
  const fm = formatFor(wanted.format ?? query.get("fm"), notes);
  const v = query.get("v");
  const isVector = notes?.kind === "vector";
  // The drawing itself, which is sharp at every width.
  if (isVector && ratio === null && fm === null) {
    return { url: fileAddress(address, { v }), width: notes.size.width };
  }
  const width = wanted.width ?? Number(query.get("w") ?? NaN);
  const ladder = ladderOf(notes && { master: notes.size, ratio, isVector }, fm);
  const last = notes ? ladder.at(-1) : null;
  const step = width > 0 ? stepFor(ladder, width) : last;
  const focalPoint = wanted.focalPoint ? focalPointText(wanted.focalPoint) : query.get("fp");
  const parameters = {
    w: step?.w,
    // Without a width, the height is what says how large the file is.
    h: step ? null : query.get("h"),
    ar: ratio,
    fp: ratio === null ? null : focalPoint,
    q: qualityOf(wanted.quality ?? query.get("q")),
    fm,
    auto: fm === null ? "format" : null,
    v,
  };
  return { url: fileAddress(address, parameters), width: step?.width ?? 0 };
}

/** `src` itself when it is no address of a picture. */
export const fileUrl = (src: string, wanted: Wanted): string => fileOf(src, wanted)?.url ?? src;
