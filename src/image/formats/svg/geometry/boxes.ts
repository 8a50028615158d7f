/** Boxes on the canvas, of which the sides are one long. */
import type { Box } from "./outline.ts";

export const CANVAS: Box = { left: 0, top: 0, right: 1, bottom: 1 };
/** resvg cuts layers off at two canvases outside the canvas. */
export const AROUND: Box = { left: -2, top: -2, right: 3, bottom: 3 };
export const AROUND_SIDE = 5;
/** A layer that lies outside of this cannot be drawn: resvg fails. */
export const LAYERS: Box = { left: -2, top: -2, right: 2, bottom: 2 };

export const grown = ({ left, top, right, bottom }: Box, by: number): Box => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});

export const union = (one: Box | null, other: Box | null): Box | null =>
  one && other
    ? {
        left: Math.min(one.left, other.left),
        top: Math.min(one.top, other.top),
        right: Math.max(one.right, other.right),
        bottom: Math.max(one.bottom, other.bottom),
      }
    : (one ?? other);

/** Returns whether two boxes have nothing in common. */
export const isApart = (one: Box, other: Box): boolean =>
  one.right < other.left || one.left > other.right || one.bottom < other.top || one.top > other.bottom;

/** Returns the area of a box within another. */
export function areaOf(box: Box, within: Box): number {
  const width = Math.min(box.right, within.right) - Math.max(box.left, within.left);
  const height = Math.min(box.bottom, within.bottom) - Math.max(box.top, within.top);
  return width > 0 && height > 0 ? width * height : 0;
}
