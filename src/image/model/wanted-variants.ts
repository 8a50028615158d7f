/**
 * Which variants a request can use, by the beginnings of their names. What of them follows from the picture is a gap,
 * which the query for the picture fills: so it reads these variants and no others, before anything of the picture is known.
 */
import { gridWidth, widthForHeight } from "./grid.ts";
import type { Ratio } from "./aspect-ratio.ts";
import type { FocalPoint } from "./focal-point.ts";
import { prefixOfQuality, prefixOfWidth, type Quality } from "./variant.ts";

/** What is known once the picture is. */
export const GAPS = {
  /** What the names of its crops of the ratio begin with; nothing where that covers the whole master. */
  crop: "{crop}",
  /** The width of the crop, or of the whole master. */
  ownWidth: "{own}",
  /** The grid width that gives the height asked for, in the master's ratio. */
  widthForHeight: "{height}",
} as const;

/** What a request asks for, as far as the names of variants follow from it. */
export interface Wanted {
  width: number | null;
  height: number | null;
  /** Of the crop; null for the whole master. */
  ratio: Ratio | null;
  /** Of the request; null for the picture's. */
  focalPoint: FocalPoint | null;
  quality: Quality;
}

export interface WantedVariants extends Pick<Wanted, "height" | "ratio" | "focalPoint"> {
  /** Up to the encoder version, with gaps. */
  beginnings: readonly string[];
}

export const NO_VARIANTS: WantedVariants = { beginnings: [], height: null, ratio: null, focalPoint: null };

/** In every format: requests that differ in it alone share what is read. */
export function wantedVariants({ width, height, ratio, focalPoint, quality }: Wanted): WantedVariants {
  const widths = [...sizedWidths(width, height, ratio), GAPS.ownWidth];
  const beginnings = widths.flatMap((one) =>
    [quality, null].map((each) => (ratio ? GAPS.crop : "") + prefixOfWidth(one) + prefixOfQuality(each)),
  );
  return { beginnings, height, ratio, focalPoint: ratio && focalPoint };
}

/** The width that is asked for, beside the whole width that it may be limited to. */
function sizedWidths(width: number | null, height: number | null, ratio: Ratio | null): (number | string)[] {
  if (width !== null) return [gridWidth(width)];
  if (height === null) return [];
  return [ratio ? widthForHeight(height, ratio) : GAPS.widthForHeight];
}
