/**
 * The variants that a request can use, as the beginnings of their file names. Parts of a name that depend on the
 * picture are gaps. The query for the picture fills them, so that one query reads the picture and exactly these
 * variants.
 */
import { gridWidth, widthForHeight } from "../geometry/grid.ts";
import type { Ratio } from "../geometry/aspect-ratio.ts";
import type { FocalPoint } from "../geometry/focal-point.ts";
import { TRANSPARENT } from "./background.ts";
import { prefixOfPad, prefixOfTreatment, prefixOfWidth, type Treatment } from "./variant.ts";

/** Parts of a name that depend on the picture. */
export const GAPS = {
  /** The beginning of the name of a crop with the ratio. Empty if the crop covers the whole master. */
  crop: "{crop}",
  /** The width of the crop, or of the whole master. */
  ownWidth: "{own}",
  /** The grid width that gives the requested height in the master's ratio. */
  widthForHeight: "{height}",
  /** The grid width at which the whole master fits the requested box. */
  widthInside: "{inside}",
} as const;

/** The parts of a request that determine the names of variants. */
export interface Wanted {
  width: number | null;
  height: number | null;
  /** The ratio of the crop or of the canvas. Null for the whole master. */
  ratio: Ratio | null;
  fit: "inside" | "pad" | null;
  /** The focal point in the request. Null for the picture's. */
  focalPoint: FocalPoint | null;
  /** With the quality of formats that have one, and the requested background. */
  treatment: Treatment;
}

export interface WantedVariants extends Pick<Wanted, "width" | "height" | "ratio" | "focalPoint"> {
  /** The names up to the encoder version, with gaps. */
  beginnings: readonly string[];
  /** Whether the ratio is that of a canvas, not that of a crop. */
  isPadded: boolean;
}

export const NO_VARIANTS: WantedVariants = {
  ...{ beginnings: [], isPadded: false },
  ...{ width: null, height: null, ratio: null, focalPoint: null },
};

/**
 * Names the variants of every format, so that requests that differ only in format share the picture that was read.
 * Whether a background or a canvas shows depends on the picture and the format, so names with and without them are
 * looked for.
 */
export function wantedVariants(wanted: Wanted): WantedVariants {
  const { width, height, ratio, fit, focalPoint } = wanted;
  const isPadded = fit === "pad" && ratio !== null;
  const widths = [...sizedWidths(wanted), GAPS.ownWidth];
  const treatments = treatmentsOf(wanted.treatment).map(prefixOfTreatment);
  const beginnings = fronts(ratio, isPadded).flatMap((front) =>
    widths.flatMap((one) => treatments.map((treatment) => front + prefixOfWidth(one) + treatment)),
  );
  return { beginnings, isPadded, width, height, ratio, focalPoint: ratio && focalPoint };
}

function fronts(ratio: Ratio | null, isPadded: boolean): string[] {
  if (ratio === null) return [""];
  return isPadded ? [prefixOfPad(ratio), ""] : [GAPS.crop];
}

function treatmentsOf(treatment: Treatment): Treatment[] {
  const background = treatment.background === TRANSPARENT ? null : (treatment.background ?? null);
  const backgrounds = background === null ? [null] : [null, background];
  return backgrounds.flatMap((one) =>
    [treatment.quality, null].map((quality) => ({ ...treatment, quality, background: one })),
  );
}

/** Returns the requested width, if any. It may be limited to the whole width. */
function sizedWidths({ width, height, ratio, fit }: Wanted): (number | string)[] {
  if (fit === "inside") return [GAPS.widthInside];
  if (width !== null) return [gridWidth(width)];
  if (height === null) return [];
  return [ratio ? widthForHeight(height, ratio) : GAPS.widthForHeight];
}
