/** Support for `next/image`: the loader, its configuration, and the props of an `<Image>` for a media object. */
import type { NextConfig } from "next";
import type { ImageLoaderProps } from "next/image";
import { QUALITIES } from "../image/model/variant.ts";
import { DELIVERY } from "../limits.ts";
import { blurDataURL } from "./pictures/blur.ts";
import { componentProps, styleOf, type ComponentProps, type PictureStyle } from "./pictures/component.ts";
import { throughBase } from "./pictures/address.ts";
import { fileUrl } from "./pictures/file.ts";
import type { FileOptions, Picture } from "./pictures/picture.ts";
export { remoteAddress } from "./pictures/address.ts";

export { blurDataURL } from "./pictures/blur.ts";
export type { AspectRatio, FileOptions, FocalPoint, Picture } from "./pictures/picture.ts";

/**
 * Returns the address of the file for an `<Image>`. An address that is not a picture of the service is returned
 * unchanged.
 */
export default function loader({ src, width, quality }: ImageLoaderProps): string {
  return fileUrl(src, { width, quality });
}

/**
 * Returns a loader that serves pictures of other servers, too: a `src` with the whole address of one is asked for at
 * the service. The default export of a `loaderFile` of your own.
 * @param base the service and the space: `https://pictures.example/api/v1/shop`
 */
export const loaderFor =
  (base: string) =>
  ({ src, ...asked }: ImageLoaderProps): string =>
    loader({ src: throughBase(src, base), ...asked });

/** The smallest of `deviceSizes`, which Next takes for the width of the narrowest screen. */
const NARROWEST_SCREEN_PIXELS = 500;

type Images = Required<
  Pick<
    NonNullable<NextConfig["images"]>,
    "loader" | "loaderFile" | "deviceSizes" | "imageSizes" | "qualities"
  >
>;

/**
 * The value of `images` in next.config: this loader, and the widths of the service as sizes. `loaderFile` is the path
 * where npm installs it, relative to next.config. If the package is elsewhere, use a file of your own that contains
 * `export { default } from "silverprint/next"`.
 */
export const images: Images = {
  loader: "custom",
  loaderFile: "./node_modules/silverprint/next.js",
  deviceSizes: DELIVERY.widthGridPixels.filter((width) => width >= NARROWEST_SCREEN_PIXELS),
  imageSizes: DELIVERY.widthGridPixels.filter((width) => width < NARROWEST_SCREEN_PIXELS),
  qualities: [...QUALITIES],
};

export interface NextImageProps extends ComponentProps {
  placeholder?: "blur";
  blurDataURL?: string;
  /** The box of a crop. */
  style?: PictureStyle;
}

/**
 * Returns the props of an `<Image>`. With `ratio`, the picture is cropped. `width` is its width on the page in CSS
 * pixels, by default that of the master; `sizes` should then say how wide it is shown.
 */
export function imageProps(media: Picture, options: FileOptions = {}): NextImageProps {
  const blurred = blurDataURL(media, options);
  const style = styleOf(media, options, false);
  return {
    ...componentProps(media, options),
    ...(blurred !== undefined && { placeholder: "blur", blurDataURL: blurred }),
    ...(style && { style }),
  };
}
