/** Orientation (EXIF 2.32, tag 274): how stored pixels map to the upright picture, and which part turns them. */
import type { MasterFacts, Orientation } from "./facts.ts";
import type { Rect, Size } from "../geometry/size.ts";

/** Orientations 5 to 8 swap width and height. */
export const swapsAxes = (orientation: Orientation): boolean => orientation >= 5;

/** Whether rows are mirrored, after rows and columns have been swapped where `swapsAxes` says so. */
export const isMirrored = (orientation: Orientation): boolean => [2, 3, 6, 7].includes(orientation);
/** Whether the last row comes first, after the same swap. */
export const isUpwards = (orientation: Orientation): boolean => [3, 4, 7, 8].includes(orientation);

/** Converts the upright size of a picture to its stored size, and the stored size to the upright one. */
export const turned = (size: Size, orientation: Orientation): Size =>
  swapsAxes(orientation)
    ? { width: size.height, height: size.width }
    : { width: size.width, height: size.height };

/** The place of a rectangle of the upright picture before rows are mirrored and their order is reversed. */
export function unmirrored(rect: Rect, upright: Size, orientation: Orientation): Rect {
  const { left, top, width, height } = rect;
  return {
    left: isMirrored(orientation) ? upright.width - left - width : left,
    top: isUpwards(orientation) ? upright.height - top - height : top,
    width,
    height,
  };
}

/** The place of a rectangle of the upright picture in the stored picture. */
export function asStored(rect: Rect, upright: Size, orientation: Orientation): Rect {
  const { left, top, width, height } = unmirrored(rect, upright, orientation);
  return swapsAxes(orientation)
    ? { left: top, top: left, width: height, height: width }
    : { left, top, width, height };
}

/**
 * Whether the decoder itself hands out upright rows. It holds all coefficients of a progressive JPEG before it makes
 * the first row, so it can begin at any side of the picture. It can mirror the rows of every JPEG.
 */
export const isTurnedByDecoder = (facts: MasterFacts): boolean =>
  facts.format === "jpeg" && (facts.process === "progressive" || facts.orientation === 2);

/** The orientation of the rows that the decoder hands out: 1 when it turns them itself. */
export const orientationOfRows = (facts: MasterFacts): Orientation =>
  isTurnedByDecoder(facts) ? 1 : facts.orientation;

/** Maps the stored pixel (x, y) to the index `start + x * across + y * down` of the upright picture's pixels. */
export interface Path {
  start: number;
  across: number;
  down: number;
}

/** The mapping with which the rows of a picture of size `stored` are written to an upright canvas. */
export function uprightPath(stored: Size, orientation: Orientation): Path {
  const { width: w, height: h } = stored;
  switch (orientation) {
    case 1:
      return { start: 0, across: 1, down: w };
    case 2:
      return { start: w - 1, across: -1, down: w };
    case 3:
      return { start: w * h - 1, across: -1, down: -w };
    case 4:
      return { start: w * (h - 1), across: 1, down: -w };
    case 5:
      return { start: 0, across: h, down: 1 };
    case 6:
      return { start: h - 1, across: h, down: -1 };
    case 7:
      return { start: h * w - 1, across: -h, down: -1 };
    case 8:
      return { start: h * (w - 1), across: -h, down: 1 };
  }
}
