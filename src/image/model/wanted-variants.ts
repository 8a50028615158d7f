/**
 * The variants that a request can use, as the beginnings of their file names. Parts of a name that depend on the
 * picture are gaps. The query for the picture fills them, so that one query reads the picture and exactly these
 * variants.
 */
import { gridWidth, widthForHeight } from "../geometry/grid.ts";
import type { Ratio } from "../geometry/aspect-ratio.ts";
import type { FocalPoint } from "../geometry/focal-point.ts";
import { prefixOfQuality, prefixOfWidth, type Quality } from "./variant.ts";

/** Parts of a name that depend on the picture. */
export const GAPS = {
  /** The beginning of the name of a crop with the ratio. Empty if the crop covers the whole master. */
  crop: "{crop}",
  /** The width of the crop, or of the whole master. */
  ownWidth: "{own}",
  /** The grid width that gives the requested height in the master's ratio. */
  widthForHeight: "{height}",
} as const;

/** The parts of a request that determine the names of variants. */
export interface Wanted {
  width: number | null;
  height: number | null;
  /** The ratio of the crop. Null for the whole master. */
  ratio: Ratio | null;
  /** The focal point in the request. Null for the picture's. */
  focalPoint: FocalPoint | null;
  quality: Quality;
}

export interface WantedVariants extends Pick<Wanted, "height" | "ratio" | "focalPoint"> {
  /** The names up to the encoder version, with gaps. */
  beginnings: readonly string[];
}

export const NO_VARIANTS: WantedVariants = { beginnings: [], height: null, ratio: null, focalPoint: null };

/** Covers every format, so that requests that differ only in format share the picture that was read. */
export function wantedVariants({ width, height, ratio, focalPoint, quality }: Wanted): WantedVariants {
  const widths = [...sizedWidths(width, height, ratio), GAPS.ownWidth];
  const beginnings = widths.flatMap((one) =>
    [quality, null].map((each) => (ratio ? GAPS.crop : "") + prefixOfWidth(one) + prefixOfQuality(each)),
  );
  return { beginnings, height, ratio, focalPoint: ratio && focalPoint };
}

/** The requested width, if any. It may be limited to the whole width. */
function sizedWidths(width: number | null, height: number | null, ratio: Ratio | null): (number | string)[] {
  if (width !== null) return [gridWidth(width)];
  if (height === null) return [];
  return [ratio ? widthForHeight(height, ratio) : GAPS.widthForHeight];
}
