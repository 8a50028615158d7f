/** The part of a picture that a request wants: a ratio, and the point on which it is centred (RULES 5.7 to 5.10). */
import { nearestRatio, parseRatio, type Ratio } from "../../image/geometry/aspect-ratio.ts";
import { CENTRE, type FocalPoint } from "../../image/geometry/focal-point.ts";
import { invalid } from "../../image/parameters/invalid.ts";
import type { PictureParameters } from "../../image/parameters/parameter.ts";
import { CROP } from "../../limits.ts";

export interface Framing {
  /** The ratio of a crop, or of a canvas. Null for the whole picture. */
  ratio: Ratio | null;
  focalPoint: FocalPoint;
}

/** The properties of a picture that determine crops. */
export interface FramedPicture {
  /** The ratios that its space allows, each `W:H`. */
  aspectRatios: readonly string[];
  /** The backgrounds that its space allows. */
  backgrounds: readonly string[];
  /** Its own focal point, or the suggested one; null for the centre. */
  focalPoint: FocalPoint | null;
}

/** Returns whether the space lists the requested ratio and background; true without them. */
export function isListed(asked: PictureParameters, { aspectRatios, backgrounds }: FramedPicture): boolean {
  const { width, height, ratio, fit, background } = asked;
  if (background !== null && !backgrounds.includes(background)) return false;
  if (ratio !== null) return aspectRatios.includes(ratio);
  if (width === null || height === null || fit === "inside") return true;
  return nearestRatio(aspectRatios, { width, height }) !== null;
}

/** @throws ApiError INVALID_PARAMETER for a ratio or background that the space does not list; the message has its list */
export function framingOf(asked: PictureParameters, picture: FramedPicture): Framing {
  const { backgrounds } = picture;
  if (asked.background !== null && !backgrounds.includes(asked.background)) {
    throw invalid("bg", `must be one of ${backgrounds.join(", ")}`);
  }
  return {
    ratio: ratioOf(asked, picture.aspectRatios),
    focalPoint: asked.focalPoint ?? picture.focalPoint ?? CENTRE,
  };
}

function ratioOf({ width, height, ratio, fit }: PictureParameters, listed: readonly string[]): Ratio | null {
  const list = listed.join(", ");
  if (ratio !== null) {
    if (listed.includes(ratio)) return parseRatio(ratio);
    throw invalid("ar", `must be one of ${list}`);
  }
  if (width === null || height === null || fit === "inside") return null;
  const nearest = nearestRatio(listed, { width, height });
  if (nearest !== null) return parseRatio(nearest);
  const most = `${CROP.nearestRatioMaxPercent} %`;
  throw invalid("h", `with w must come within ${most} of one of the ratios ${list}`);
}
