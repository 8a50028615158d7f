/** Orientation (EXIF 2.32, tag 274): how stored pixels map to the upright picture. */
import type { Orientation } from "./facts.ts";
import type { Rect, Size } from "../geometry/size.ts";

/** Returns whether an orientation swaps width and height: 5 to 8 do. */
export const swapsAxes = (orientation: Orientation): boolean => orientation >= 5;

/** Returns whether rows are mirrored, after rows and columns have been swapped where `swapsAxes` says so. */
export const isMirrored = (orientation: Orientation): boolean => [2, 3, 6, 7].includes(orientation);
/** Returns whether the last row comes first, after the same swap. */
export const isUpwards = (orientation: Orientation): boolean => [3, 4, 7, 8].includes(orientation);

/** Converts the upright size of a picture to its stored size, and the stored size to the upright one. */
export const turned = (size: Size, orientation: Orientation): Size =>
  swapsAxes(orientation)
    ? { width: size.height, height: size.width }
    : { width: size.width, height: size.height };

/** Returns the place of a rectangle of the upright picture before rows are mirrored and their order is reversed. */
export function unmirrored(rect: Rect, upright: Size, orientation: Orientation): Rect {
  const { left, top, width, height } = rect;
  return {
    left: isMirrored(orientation) ? upright.width - left - width : left,
    top: isUpwards(orientation) ? upright.height - top - height : top,
    width,
    height,
  };
}

/** Returns the place of a rectangle of the upright picture in the stored picture. */
export function asStored(rect: Rect, upright: Size, orientation: Orientation): Rect {
  const { left, top, width, height } = unmirrored(rect, upright, orientation);
  return swapsAxes(orientation)
    ? { left: top, top: left, width: height, height: width }
    : { left, top, width, height };
}

/** A mapping of the stored pixel (x, y) to the index `start + x * across + y * down` of the upright picture's pixels. */
export interface Path {
  start: number;
  across: number;
  down: number;
}

/**
 * Returns the mapping with which the rows of a picture of size `stored` are written to an upright canvas.
 * @param stride the width of the canvas, if that is wider than the upright picture
 */
export function uprightPath(
  stored: Size,
  orientation: Orientation,
  stride: number = turned(stored, orientation).width,
): Path {
  const { width: w, height: h } = stored;
  switch (orientation) {
    case 1:
      return { start: 0, across: 1, down: stride };
    case 2:
      return { start: w - 1, across: -1, down: stride };
    case 3:
      return { start: stride * (h - 1) + w - 1, across: -1, down: -stride };
    case 4:
      return { start: stride * (h - 1), across: 1, down: -stride };
    case 5:
      return { start: 0, across: stride, down: 1 };
    case 6:
      return { start: h - 1, across: stride, down: -1 };
    case 7:
      return { start: stride * (w - 1) + h - 1, across: -stride, down: -1 };
    case 8:
      return { start: stride * (w - 1), across: -stride, down: 1 };
  }
}
