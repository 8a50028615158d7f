/** Crops: the largest rectangle of a ratio inside the upright master, around a focal point (RULES 5.8, 5.9). */
import { reducedRatio, type Ratio } from "./aspect-ratio.ts";
import type { FocalPoint } from "./focal-point.ts";
import type { Rect, Size } from "./size.ts";

export interface Crop {
  /** In lowest terms. */
  readonly ratio: Ratio;
  /**
   * Where the crop is on the axis that it does not fill: the focal point's percent, but 0 where it lies at the one border
   * and 100 at the other. Focal points that come to the same crop of a master mostly come to one number.
   */
  readonly focus: number;
  /** In pixels of the upright master. */
  readonly rect: Rect;
}

/** The crop of `ratio` around `focal`; null when it covers the whole master. */
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

/** `length` of `whole`, centred on a percentage of it and pushed back inside. */
export function placed(percent: number, length: number, whole: number): { at: number; focus: number } {
  const slack = whole - length;
  const at = Math.min(slack, Math.max(0, Math.round((2 * whole * percent - 100 * length) / 200)));
  return { at, focus: at === 0 ? 0 : at === slack ? 100 : percent };
}
