/** The widths at which the service builds different files of a picture (RULES 5.4, 9.5). */
import { parseRatio } from "../../image/geometry/aspect-ratio.ts";
import { cropOf } from "../../image/geometry/crop.ts";
import { CENTRE } from "../../image/geometry/focal-point.ts";
import { gridWidth, heightAt } from "../../image/geometry/grid.ts";
import { canvasWidth } from "../../image/geometry/pad.ts";
import type { Size } from "../../image/geometry/size.ts";
import { NEGOTIATED_FORMATS, type OutputFormat, variantTraits } from "../../image/formats/registry.ts";
import { DELIVERY } from "../../limits.ts";

/** Useful widths for a picture whose width is a share of the viewport's. */
export const FLUID_WIDTHS: readonly number[] = DELIVERY.widthGridPixels.filter(
  (width) => width >= 236 && width <= 4096,
);

export interface Step {
  /** The parameter `w`: a width of the grid. */
  w: number;
  /** The width of the file in pixels, which is that of the crop or master if that is smaller. */
  width: number;
}

export interface Shown {
  /** The displayed size of the master in pixels. */
  master: Size;
  /** The ratio `W:H` of a crop or a canvas; null for the whole. */
  ratio: string | null;
  /** Whether the ratio is that of a canvas on which the whole stands. */
  isPadded?: boolean;
  /** Whether it is a drawing, which can have any width. */
  isVector: boolean;
}

/** Returns the size of the shown part, in pixels of the master. */
export function shownSize({ master, ratio, isPadded = false }: Omit<Shown, "isVector">): Size {
  const parsed = ratio === null ? null : parseRatio(ratio);
  if (parsed && isPadded) {
    const width = canvasWidth(master, parsed);
    return { width, height: heightAt(width, parsed) };
  }
  const { width, height } = (parsed && cropOf(master, parsed, CENTRE)?.rect) ?? master;
  return { width, height };
}

/** Returns the height of the file at `width` (RULES 5.9). */
export function shownHeight(
  { master, ratio, isPadded = false }: Omit<Shown, "isVector">,
  width: number,
): number {
  const parsed = ratio === null ? null : parseRatio(ratio);
  if (parsed && isPadded) return heightAt(width, parsed);
  const isCrop = parsed && cropOf(master, parsed, CENTRE) !== null;
  return heightAt(width, isCrop ? parsed : master);
}

/**
 * Returns the largest file in pixels that the service builds whether or not the master has alpha. @param format null:
 * any
 */
const maxPixels = (format: OutputFormat | null): number =>
  Math.min(
    ...(format === null ? NEGOTIATED_FORMATS : [format]).map((one) => variantTraits(one).maxPixels.alpha),
  );

/** Returns the steps from narrow to wide, at least one. The whole grid if nothing is known about the picture. */
export function ladderOf(shown: Shown | null, format: OutputFormat | null): Step[] {
  if (!shown) return DELIVERY.widthGridPixels.map((w) => ({ w, width: w }));
  const most = shown.isVector ? Infinity : shownSize(shown).width;
  const steps: Step[] = [];
  for (const w of DELIVERY.widthGridPixels) {
    const width = Math.min(w, most);
    const isOver = width * shownHeight(shown, width) > maxPixels(format);
    if (isOver && steps.length > 0) break;
    steps.push({ w, width });
    if (w >= most) break;
  }
  return steps;
}

/** Returns the step for `width` pixels: the first one that is wide enough, else the last one. */
export function stepFor(ladder: readonly Step[], width: number): Step {
  const { widthMinPixels, widthMaxPixels } = DELIVERY;
  const w = gridWidth(Math.min(Math.max(width, widthMinPixels), widthMaxPixels));
  return ladder.find((step) => step.w >= w) ?? (ladder.at(-1) as Step);
}
