/** The widths at which there are different files of a picture, as far as the service builds them (RULES 5.4, 9.5). */
import { parseRatio } from "../../image/model/aspect-ratio.ts";
import { cropOf } from "../../image/model/crop.ts";
import { CENTRE } from "../../image/model/focal-point.ts";
import { gridWidth, heightAt } from "../../image/model/grid.ts";
import type { Size } from "../../image/model/size.ts";
import type { OutputFormat } from "../../image/model/variant.ts";
import { DELIVERY, TRANSFORM } from "../../limits.ts";

/** For a picture whose width is a share of the viewport's: below and above, no screen shows what another file is worth. */
export const FLUID_WIDTHS: readonly number[] = DELIVERY.widthGridPixels.filter(
  (width) => width >= 236 && width <= 4096,
);

export interface Step {
  /** `w` in the address: a width of the grid. */
  w: number;
  /** Of the file, in pixels: that of the crop or master where it is less. */
  width: number;
}

export interface Shown {
  /** Of the master, as displayed, in pixels. */
  master: Size;
  /** `W:H` of a crop. */
  ratio: string | null;
  /** A drawing is as wide as it is asked for. */
  isVector: boolean;
}

/** Width and height of what a file shows, in pixels of the master. */
export function shownSize({ master, ratio }: Omit<Shown, "isVector">): Size {
  const parsed = ratio === null ? null : parseRatio(ratio);
  const { width, height } = (parsed && cropOf(master, parsed, CENTRE)?.rect) ?? master;
  return { width, height };
}

/** The file's height at `width` (RULES 5.9). */
export function shownHeight({ master, ratio }: Omit<Shown, "isVector">, width: number): number {
  const parsed = ratio === null ? null : parseRatio(ratio);
  const isCrop = parsed && cropOf(master, parsed, CENTRE) !== null;
  return heightAt(width, isCrop ? parsed : master);
}

const maxPixels = (format: OutputFormat | null): number =>
  format === "jpeg" || format === "png"
    ? TRANSFORM.outputMaxPixels
    : TRANSFORM.outputMaxPixelsAvifOrAlphaWebp;

/** From narrow to wide, never empty. Where nothing is known of the picture, the whole grid. */
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

/** The step for `width` pixels: the first that has as many, else the last. */
export function stepFor(ladder: readonly Step[], width: number): Step {
  const { widthMinPixels, widthMaxPixels } = DELIVERY;
  const w = gridWidth(Math.min(Math.max(width, widthMinPixels), widthMaxPixels));
  return ladder.find((step) => step.w >= w) ?? (ladder.at(-1) as Step);
}
