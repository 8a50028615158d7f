/** The widths that variants may have, and the heights that follow (RULES 5.4). */
import { DELIVERY } from "../../limits.ts";

/**
 * Returns the smallest supported width that is at least `width`, a whole number from 1 to 8192.
 * @throws RangeError above 8192
 */
export function gridWidth(width: number): number {
  for (const step of DELIVERY.widthGridPixels) if (width <= step) return step;
  throw new RangeError(`width ${width} is above ${DELIVERY.widthMaxPixels}`);
}

/** Returns the rounded height, at least 1, that keeps the aspect ratio at `width` (RULES 5.4). */
export function heightAt(width: number, master: { width: number; height: number }): number {
  return Math.max(1, Math.round((master.height * width) / master.width));
}

/** Returns the next supported width to the largest one at which the whole of `shown` fits `box` (RULES 5.12). */
export function widthInside(
  box: { width: number; height: number },
  shown: { width: number; height: number },
): number {
  const width = Math.floor((box.height * shown.width) / shown.height);
  return gridWidth(Math.max(1, Math.min(box.width, width)));
}

/**
 * Returns the next supported width to the one that gives `height` in the ratio of `shown`, at most the widest (RULES
 * 5.7).
 */
export function widthForHeight(height: number, shown: { width: number; height: number }): number {
  const width = Math.max(1, Math.round((height * shown.width) / shown.height));
  return gridWidth(Math.min(width, DELIVERY.widthMaxPixels));
}
