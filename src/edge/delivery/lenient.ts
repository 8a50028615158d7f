/** Requests in the dialects of other image services, of which nothing is refused (RULES 13). */
import { nearestRatio } from "../../image/geometry/aspect-ratio.ts";
import type { PictureParameters } from "../../image/parameters/parameter.ts";

export interface Listed {
  aspectRatios: readonly string[];
  /** Null while they are not known. */
  backgrounds: readonly string[] | null;
}

/** Replaces a box of a ratio that the space does not list by one that the whole picture fits in, and leaves out a background that it does not list. */
export function leniently(
  asked: PictureParameters,
  { aspectRatios, backgrounds }: Listed,
): PictureParameters {
  const { width, height, background } = asked;
  const isListed = background === null || backgrounds === null || backgrounds.includes(background);
  const known = isListed ? asked : { ...asked, background: null };
  if (width === null || height === null || nearestRatio(aspectRatios, { width, height }) !== null)
    return known;
  return { ...known, fit: "inside", ratio: null, focalPoint: null };
}
