/**
 * The CSS of a crop's box. Until a crop is built, the service answers with the whole master. The box then keeps the
 * ratio of the crop and shows the same part of the master.
 */
import { cropOf } from "../../image/geometry/crop.ts";
import { parseRatio } from "../../image/geometry/aspect-ratio.ts";
import { CENTRE, focalPointOf } from "../../image/geometry/focal-point.ts";
import type { Rect } from "../../image/geometry/size.ts";
import type { FileOptions, Picture } from "./picture.ts";
import { checkedRatio, knownFocalPoint } from "./source.ts";

/** Returns the shown part in pixels of the master; null when the whole picture is shown. */
export function shownRect(picture: Picture, { ratio, fit, focalPoint }: FileOptions): Rect | null {
  if (fit === "pad") return null;
  const parsed = parseRatio(checkedRatio(ratio) ?? "");
  const point = focalPoint ?? knownFocalPoint(picture);
  return (parsed && cropOf(picture, parsed, point ? focalPointOf(point) : CENTRE)?.rect) ?? null;
}

export interface FrameStyle {
  aspectRatio: string;
  objectFit: "cover" | "contain";
  objectPosition: string;
}

/** Returns the position of the part, in percent of the hidden length, as for `object-position`. */
const percent = (at: number, beside: number): string =>
  `${beside > 0 ? Math.round((1000 * at) / beside) / 10 : 50}%`;

/** Returns the CSS of the box; null when the whole picture is shown and covers it. */
export function frameStyle(picture: Picture, options: FileOptions): FrameStyle | null {
  if (options.fit === "pad" && checkedRatio(options.ratio) !== null) {
    return { aspectRatio: options.ratio!.replace(":", "/"), objectFit: "contain", objectPosition: "50% 50%" };
  }
  const rect = shownRect(picture, options);
  if (!rect) return null;
  const { left, top, width, height } = rect;
  return {
    aspectRatio: options.ratio!.replace(":", "/"),
    objectFit: "cover",
    objectPosition: `${percent(left, picture.width - width)} ${percent(top, picture.height - height)}`,
  };
}
