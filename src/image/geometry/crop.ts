/** Crops: the largest rectangle of a ratio that fits the upright master, around a focal point (RULES 5.8, 5.9). */
import { reducedRatio, type Ratio } from "./aspect-ratio.ts";
import type { FocalPoint } from "./focal-point.ts";
import type { Rect, Size } from "./size.ts";

export interface Crop {
  /** In lowest terms. */
  readonly ratio: Ratio;
  /**
   * The position of the crop on the axis that it does not fill, in percent: 0 at the left or top border, 100 at the
   * right or bottom border, else the focal point's own percentage. Focal points that make the same crop of a master
   * mostly have the same value here.
   */
  readonly focus: number;
  /** In pixels of the upright master. */
  readonly rect: Rect;
}

/** Returns the crop of `ratio` around `focal`; null when it covers the whole master. */
export function cropOf(master: Size, ratio: Ratio, focal: FocalPoint): Crop | null {
  const { width: across, height: down } = ratio;
  const isWider = master.width * down >= master.height * across;
  const size = isWider
    ? { width: Math.max(1, Math.floor((master.height * across) / down)), height: master.height }
    : { width: master.width, height: Math.max(1, Math.floor((master.width * down) / across)) };
  const left = placed(focal.x, size.width, master.width);
  const top = placed(focal.y, size.height, master.height);
  if (size.width === master.width && size.height === master.height) return null;
  const { focus } = isWider ? left : top;
  return { ratio: reducedRatio(ratio), focus, rect: { ...size, left: left.at, top: top.at } };
}

/**
 * Places a stretch of `length` pixels on a side of `whole` pixels: centred at `percent` of the side, then moved so that
 * it lies inside.
 * @returns `at`, its first pixel, and `focus`, as in Crop
 */
export function placed(percent: number, length: number, whole: number): { at: number; focus: number } {
  const slack = whole - length;
  const at = Math.min(slack, Math.max(0, Math.round((2 * whole * percent - 100 * length) / 200)));
  return { at, focus: at === 0 ? 0 : at === slack ? 100 : percent };
}
