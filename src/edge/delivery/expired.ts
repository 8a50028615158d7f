/**
 * Redirects from the address of a removed variant: to its picture, with parameters that build the same variant again.
 */
import { parseRatio, type Ratio, reducedRatio } from "../../image/geometry/aspect-ratio.ts";
import { DEFAULT_QUALITY, type ParsedVariantFile } from "../../image/model/variant.ts";
import { NO_PARAMETERS } from "../../image/parameters/table.ts";
import { queryOf } from "../../image/parameters/write.ts";
import { CROP, DELIVERY } from "../../limits.ts";

interface NamedSpace {
  spaceName: string;
  /** The ratios that crops may have, each `W:H`. */
  aspectRatios: readonly string[];
}

/**
 * The relative address of the picture. A width outside the grid is the own width of master or crop, which may exceed
 * the 8192 that `w` allows, so `w` is left out. A GIF has neither `q` nor `fm`, and needs another parameter so that the
 * answer is not the master. A ratio that the space no longer lists is left out.
 */
export function pictureAddress(
  { spaceName, aspectRatios }: NamedSpace,
  mediaId: string,
  { width, quality, format, crop }: ParsedVariantFile,
): string {
  const isOfGrid = (DELIVERY.widthGridPixels as readonly number[]).includes(width);
  const isGif = format === "gif";
  const isSized = isOfGrid || (isGif && width <= DELIVERY.widthMaxPixels);
  const ratio = crop && spelled(crop.ratio, aspectRatios);
  // Only the axis that the crop does not fill matters. A focal point between the steps was the media item's own.
  const isOfStep = ratio !== null && crop !== null && crop.focus % CROP.requestedFocalPointStepPercent === 0;
  const query = queryOf({
    ...NO_PARAMETERS,
    width: isSized ? width : null,
    ratio,
    focalPoint: isOfStep ? { x: crop.focus, y: crop.focus } : null,
    quality: isGif && !isSized ? DEFAULT_QUALITY : quality,
    format: isGif ? null : format,
  });
  return `/api/v1/${spaceName}/pictures/${mediaId}?${query.toString()}`;
}

/** The text with which the space lists the ratio; null if it does not. */
function spelled({ width, height }: Ratio, listed: readonly string[]): string | null {
  const isSame = (text: string): boolean => {
    const ratio = parseRatio(text);
    const reduced = ratio && reducedRatio(ratio);
    return reduced?.width === width && reduced.height === height;
  };
  return listed.find(isSame) ?? null;
}
