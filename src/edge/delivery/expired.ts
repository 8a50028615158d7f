/**
 * Redirects from the address of a removed variant: to its picture, with parameters that build the same variant again.
 */
import { parseRatio, type Ratio, reducedRatio } from "../../image/geometry/aspect-ratio.ts";
import { isOutputFormat } from "../../image/formats/registry.ts";
import { DEFAULT_QUALITY, type ParsedVariantFile } from "../../image/model/variant.ts";
import { parametersFor } from "../../image/parameters/table.ts";
import { queryOf } from "../../image/parameters/write.ts";
import { CROP, DELIVERY } from "../../limits.ts";

interface NamedSpace {
  spaceName: string;
  /** The ratios that crops may have, each `W:H`. */
  aspectRatios: readonly string[];
  /** The backgrounds that pictures may have. */
  backgrounds: readonly string[];
  /** The address of a picture of another server; absent or null for a media item. */
  remoteUrl?: string | null;
}

/**
 * Returns the relative address of the picture. A width outside the grid is the own width of master or crop, which may
 * exceed the 8192 that `w` allows, so `w` is left out. A format that `fm` cannot request, such as GIF, needs another
 * parameter so that the answer is not the master. A ratio or background that the space no longer lists is left out.
 */
export function pictureAddress(
  { spaceName, aspectRatios, backgrounds, remoteUrl = null }: NamedSpace,
  mediaId: string,
  variant: ParsedVariantFile,
): string {
  const { width, format, crop, pad, background = null } = variant;
  const isOfGrid = (DELIVERY.widthGridPixels as readonly number[]).includes(width);
  const isRequestable = isOutputFormat(format);
  const isSized = isOfGrid || (!isRequestable && width <= DELIVERY.widthMaxPixels);
  const shape = pad ?? crop?.ratio ?? null;
  const ratio = shape && spelled(shape, aspectRatios);
  // Only the axis that the crop does not fill matters. A focal point between the steps was the media item's own.
  const isOfStep = ratio !== null && crop !== null && crop.focus % CROP.requestedFocalPointStepPercent === 0;
  const query = queryOf({
    ...parametersFor(variant),
    width: isSized ? width : null,
    ratio,
    fit: pad && ratio !== null ? "pad" : null,
    background: background !== null && backgrounds.includes(background) ? background : null,
    focalPoint: isOfStep ? { x: crop.focus, y: crop.focus } : null,
    ...(!isRequestable && !isSized && { quality: DEFAULT_QUALITY }),
    format: isRequestable ? format : null,
  });
  if (remoteUrl === null) return `/api/v1/${spaceName}/pictures/${mediaId}?${query.toString()}`;
  query.set("url", remoteUrl);
  return `/api/v1/${spaceName}/remote?${query.toString()}`;
}

/** Finds the text with which the space lists the ratio; null if the space does not list it. */
function spelled({ width, height }: Ratio, listed: readonly string[]): string | null {
  const isSame = (text: string): boolean => {
    const ratio = parseRatio(text);
    const reduced = ratio && reducedRatio(ratio);
    return reduced?.width === width && reduced.height === height;
  };
  return listed.find(isSame) ?? null;
}
