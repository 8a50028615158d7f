/** Finds the file that a component asks for, and its only address. */
import { nearestRatio } from "../../image/geometry/aspect-ratio.ts";
import type { Size } from "../../image/geometry/size.ts";
import type { OutputFormat } from "../../image/model/variant.ts";
import { CROP } from "../../limits.ts";
import { fileAddress, readAddress, type Address } from "./address.ts";
import { ladderOf, stepFor } from "./ladder.ts";
import type { FocalPoint } from "./picture.ts";
import { checkedRatio, focalPointText, formatOf, qualityOf, readNotes, type MasterNotes } from "./source.ts";

/** The options of a component. Missing ones are taken from the address. */
export interface Wanted {
  /** In pixels. */
  width?: number | undefined;
  /** The box that the picture fills. It is cropped to the nearest of the service's ratios if one is within 1 %. */
  box?: Size | undefined;
  ratio?: string | undefined;
  focalPoint?: FocalPoint | undefined;
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

/** The box given by `w` and `h` of an address, to which the service crops (RULES 5.7). */
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

/** The requested format; null for an animation if the format is for stills, which would be refused (RULES 6.2). */
function formatFor(asked: unknown, notes: MasterNotes | null): OutputFormat | null {
  const format = formatOf(asked);
  return notes?.kind === "animated" && format !== "webp" ? null : format;
}

/** Null if `src` is not the address of a picture. @throws TypeError for a malformed ratio or focal point */
export function fileOf(src: string, wanted: Wanted): PictureFile | null {
  const address = readAddress(src);
  if (!address) return null;
  const { query } = address;
  const notes = readNotes(address.fragment);
  const ratio = ratioOf(address, notes, wanted);
  // The ratio of the box is known only to the space, so no other width can be computed.
  if (ratio === null && query.has("w") && query.has("h")) return null;
  const fm = formatFor(wanted.format ?? query.get("fm"), notes);
  const v = query.get("v");
  const isVector = notes?.kind === "vector";
  // The vector itself, which is sharp at every width.
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
    // Without a width, the height determines the size of the file.
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

/** The address of the file; `src` itself if it is not the address of a picture. */
export const fileUrl = (src: string, wanted: Wanted): string => fileOf(src, wanted)?.url ?? src;
