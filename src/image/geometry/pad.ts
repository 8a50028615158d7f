/** Pads: the whole upright master in the middle of a canvas of another ratio (RULES 5.13). */
import { reducedRatio, type Ratio } from "./aspect-ratio.ts";
import { heightAt } from "./grid.ts";
import type { Rect, Size } from "./size.ts";

export interface Pad {
  /** The ratio of the canvas, in lowest terms. */
  readonly ratio: Ratio;
  /** The place of the picture, in pixels of the canvas. */
  readonly place: Rect;
}

/** Returns the width of the smallest canvas of `ratio` that holds the whole master unscaled. */
export const canvasWidth = (master: Size, { width: across, height: down }: Ratio): number =>
  Math.max(master.width, Math.ceil((master.height * across) / down));

/**
 * Places the master on the canvas of `ratio` that is `width` pixels wide, as large as it fits.
 * @param mayEnlarge whether the master may be larger than its own size, which is true for drawings
 */
export function padOf(master: Size, ratio: Ratio, width: number, mayEnlarge = false): Pad {
  const canvas = { width, height: heightAt(width, ratio) };
  const size = sizeOn(canvas, master, mayEnlarge);
  const left = Math.floor((canvas.width - size.width) / 2);
  const top = Math.floor((canvas.height - size.height) / 2);
  return { ratio: reducedRatio(ratio), place: { left, top, ...size } };
}

/** Returns whether the canvas that is `width` pixels wide is the whole master at that width. */
export function isUnpadded(master: Size, { ratio, place }: Pad, width: number): boolean {
  const height = heightAt(width, ratio);
  return place.width === width && place.height === height && heightAt(width, master) === height;
}

/** Returns the size at which the master fits the canvas: one side fills it, and the other is rounded. */
function sizeOn(canvas: Size, master: Size, mayEnlarge: boolean): Size {
  const isWider = master.width * canvas.height >= master.height * canvas.width;
  const width = isWider
    ? canvas.width
    : Math.max(1, Math.round((master.width * canvas.height) / master.height));
  const height = isWider ? heightAt(canvas.width, master) : canvas.height;
  if (mayEnlarge) return { width, height };
  return { width: Math.min(width, master.width), height: Math.min(height, master.height) };
}
