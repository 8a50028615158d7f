/** Orientation: what is stored as what is seen (EXIF 2.32, tag 274), and who turns it. */
import type { MasterFacts, Orientation } from "./facts.ts";
import type { Rect, Size } from "./size.ts";

/** Orientations 5 to 8 swap width and height. */
export const swapsAxes = (orientation: Orientation): boolean => orientation >= 5;

/** Rows are seen from their other end, after rows and columns have changed places. */
export const isMirrored = (orientation: Orientation): boolean => [2, 3, 6, 7].includes(orientation);
/** The last row is seen first, after the same. */
export const isUpwards = (orientation: Orientation): boolean => [3, 4, 7, 8].includes(orientation);

/** The size as stored of a picture that is `size` upright, and the other way round. */
export const turned = (size: Size, orientation: Orientation): Size =>
  swapsAxes(orientation)
    ? { width: size.height, height: size.width }
    : { width: size.width, height: size.height };

/** Where a rectangle of the upright picture is before rows and columns are seen from their other ends. */
export function unmirrored(rect: Rect, upright: Size, orientation: Orientation): Rect {
  const { left, top, width, height } = rect;
  return {
    left: isMirrored(orientation) ? upright.width - left - width : left,
    top: isUpwards(orientation) ? upright.height - top - height : top,
    width,
    height,
  };
}

/** Where a rectangle of the upright picture is in the picture as stored. */
export function asStored(rect: Rect, upright: Size, orientation: Orientation): Rect {
  const { left, top, width, height } = unmirrored(rect, upright, orientation);
  return swapsAxes(orientation)
    ? { left: top, top: left, width: height, height: width }
    : { left, top, width, height };
}

/**
 * The decoder has all coefficients of a progressive JPEG before the first row is asked for: it can begin at any side
 * of the picture. Rows of every JPEG can be mirrored.
 */
export const isTurnedByDecoder = (facts: MasterFacts): boolean =>
  facts.format === "jpeg" && (facts.process === "progressive" || facts.orientation === 2);

/** How the rows that the decoder hands out are yet to be turned. */
export const orientationOfRows = (facts: MasterFacts): Orientation =>
  isTurnedByDecoder(facts) ? 1 : facts.orientation;

/** A stored pixel (x, y) goes to `start + x * across + y * down`, in pixels of the upright picture. */
export interface Path {
  start: number;
  across: number;
  down: number;
}

/** Where the stored pixels of a picture of `stored` size go, while rows are laid on a canvas. */
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
