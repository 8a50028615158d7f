/** `next/image`: the loader, the configuration that goes with it, and the props of a media object. */
import type { NextConfig } from "next";
import type { ImageLoaderProps } from "next/image";
import { QUALITIES } from "../image/model/variant.ts";
import { DELIVERY } from "../limits.ts";
import { blurDataURL } from "./pictures/blur.ts";
import { componentProps, styleOf, type ComponentProps, type PictureStyle } from "./pictures/component.ts";
import { fileUrl } from "./pictures/file.ts";
import type { FileOptions, Picture } from "./pictures/picture.ts";

export { blurDataURL } from "./pictures/blur.ts";
export type { AspectRatio, FileOptions, FocalPoint, Picture } from "./pictures/picture.ts";

/** The address of the file for an `<Image>`. What is no picture of the service comes back unchanged. */
export default function loader({ src, width, quality }: ImageLoaderProps): string {
  return fileUrl(src, { width, quality });
}

/** `deviceSizes` begin here: Next takes the smallest as that of the narrowest screen. */
const NARROWEST_SCREEN_PIXELS = 500;

type Images = Required<
  Pick<
    NonNullable<NextConfig["images"]>,
    "loader" | "loaderFile" | "deviceSizes" | "imageSizes" | "qualities"
  >
>;

/**
 * `images` of next.config: this loader, and as sizes the widths that the service makes. `loaderFile` is where npm
 * installs it, seen from next.config; where the package is elsewhere, name a file of your own that says
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
 * Props of an `<Image>`. With `ratio` it is cropped; `width` is its width on the page in CSS pixels, without which the
 * size of the master is taken, and `sizes` should say how wide it is shown.
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
