/** Nuxt Image: the provider, and the props of a media object for `<NuxtImg>`. */
import type { ImageProvider } from "@nuxt/image";
import { componentProps, styleOf, type ComponentProps, type PictureStyle } from "./pictures/component.ts";
import { fileUrl } from "./pictures/file.ts";
import type { AspectRatio, FileOptions, FocalPoint, Picture } from "./pictures/picture.ts";

export type { AspectRatio, FileOptions, FocalPoint, Picture } from "./pictures/picture.ts";

export interface SilverprintModifiers {
  modifiers?: { ratio?: AspectRatio; focalPoint?: FocalPoint };
}

/** Of the ways to fit a box, the one that crops; it is also what a missing `fit` means. */
const CROPPING_FIT = "cover";

/**
 * The address of the file for an `<NuxtImg>`. With `width` and `height` it is cropped to the nearest of the service's
 * ratios, unless none is within 1 % or `fit` says otherwise. What is no picture of the service comes back unchanged.
 */
export const getImage: ImageProvider<SilverprintModifiers>["getImage"] = (src, { modifiers }) => {
  const { width, height, fit, quality, format, ratio, focalPoint } = modifiers;
  const isCropped = (fit ?? CROPPING_FIT) === CROPPING_FIT && width !== undefined && height !== undefined;
  const box = isCropped ? { width, height } : undefined;
  return { url: fileUrl(src, { width, box, quality, format, ratio, focalPoint }) };
};

const provider: ImageProvider<SilverprintModifiers> = { getImage };

/** What `provider: "silverprint/nuxt"` in nuxt.config stands for. */
export default (): ImageProvider<SilverprintModifiers> => provider;

export interface NuxtImageProps extends ComponentProps {
  /** The box of a crop, and the placeholder behind the picture. */
  style?: PictureStyle;
}

/**
 * Props of an `<NuxtImg>`. With `ratio` it is cropped; `width` is its width on the page in CSS pixels, without which the
 * size of the master is taken, and `sizes` should say how wide it is shown.
 */
export function imageProps(media: Picture, options: FileOptions = {}): NuxtImageProps {
  const style = styleOf(media, options);
  return { ...componentProps(media, options), ...(style && { style }) };
}
