/** Support for Nuxt Image: the provider, and the props of `<NuxtImg>` for a media object. */
import type { ImageProvider } from "@nuxt/image";
import { throughBase } from "./pictures/address.ts";
import { componentProps, styleOf, type ComponentProps, type PictureStyle } from "./pictures/component.ts";
import { fileUrl } from "./pictures/file.ts";
import type { AspectRatio, FileOptions, FocalPoint, Picture } from "./pictures/picture.ts";
export { remoteAddress } from "./pictures/address.ts";

export type { AspectRatio, FileOptions, FocalPoint, Picture } from "./pictures/picture.ts";

export interface SilverprintModifiers {
  modifiers?: { ratio?: AspectRatio; focalPoint?: FocalPoint };
  /**
   * The service and the space: `https://pictures.example/api/v1/shop`. With it, a `src` with the whole address of a
   * picture on another server is asked for at the service.
   */
  baseURL?: string;
}

/** The value of `fit` that crops, which is also the default. */
const CROPPING_FIT = "cover";

/**
 * Returns the address of the file for a `<NuxtImg>`. With `width` and `height`, the picture is cropped to the nearest
 * of the service's ratios, unless none is within 1 % or `fit` has another value. An address that is not a picture of
 * the service is returned unchanged.
 */
export const getImage: ImageProvider<SilverprintModifiers>["getImage"] = (src, { modifiers, baseURL }) => {
  const { width, height, fit, quality, format, ratio, focalPoint } = modifiers;
  const isCropped = (fit ?? CROPPING_FIT) === CROPPING_FIT && width !== undefined && height !== undefined;
  const box = isCropped ? { width, height } : undefined;
  const wanted = { width, box, quality, format, ratio, focalPoint };
  return { url: fileUrl(throughBase(src, baseURL), wanted) };
};

const provider: ImageProvider<SilverprintModifiers> = { getImage };

/** The provider that `provider: "silverprint/nuxt"` in nuxt.config names. */
export default (): ImageProvider<SilverprintModifiers> => provider;

export interface NuxtImageProps extends ComponentProps {
  /** The box of a crop, and the placeholder behind the picture. */
  style?: PictureStyle;
}

/**
 * Returns the props of a `<NuxtImg>`. With `ratio`, the picture is cropped. `width` is its width on the page in CSS
 * pixels, by default that of the master; `sizes` should then say how wide it is shown.
 */
export function imageProps(media: Picture, options: FileOptions = {}): NuxtImageProps {
  const style = styleOf(media, options);
  return { ...componentProps(media, options), ...(style && { style }) };
}
