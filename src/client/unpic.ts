/** Support for Unpic: `extract`, `generate` and `transform` for `unpic` and the `base` entries of its components. */
import type { Operations, TransformerFunction } from "unpic";
import type { Size } from "../image/geometry/size.ts";
import { fileAddress, readAddress, throughBase } from "./pictures/address.ts";
import { background as backgroundOf } from "./pictures/blur.ts";
import { componentProps, type ComponentProps } from "./pictures/component.ts";
import { fileUrl } from "./pictures/file.ts";
import { frameStyle } from "./pictures/frame.ts";
import type { AspectRatio, FileOptions, Picture } from "./pictures/picture.ts";
export { remoteAddress } from "./pictures/address.ts";

export type { AspectRatio, FileOptions, FocalPoint, Picture } from "./pictures/picture.ts";

export interface SilverprintOperations extends Operations {
  ratio?: AspectRatio | undefined;
  /** `0.25,0.75` */
  focalPoint?: string | undefined;
  fit?: string | undefined;
  background?: string | undefined;
}

export interface SilverprintOptions {
  /**
   * The service and the space: `https://pictures.example/api/v1/shop`. With it, a `src` with the whole address of a
   * picture on another server is asked for at the service.
   */
  base?: string | undefined;
}

export interface Extracted {
  /** The address of the picture, with its version. */
  src: string;
  operations: SilverprintOperations;
}

/** Returns the operations in an address; null if it is not a picture of the service. */
export function extract(url: string | URL): Extracted | null {
  const address = readAddress(String(url));
  if (!address) return null;
  const { query, fragment } = address;
  const number = (name: string): number | undefined =>
    query.has(name) ? Number(query.get(name)) : undefined;
  const asked = {
    width: number("w"),
    height: number("h"),
    quality: number("q"),
    format: query.get("fm") ?? undefined,
    ratio: (query.get("ar") as AspectRatio | null) ?? undefined,
    focalPoint: query.get("fp") ?? undefined,
    fit: query.get("fit") ?? undefined,
    background: query.get("bg") ?? undefined,
  };
  const operations = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  return { src: fileAddress(address, { v: query.get("v") }, fragment), operations };
}

function boxOf({ width, height }: SilverprintOperations): Size | undefined {
  if (width === undefined || height === undefined) return undefined;
  return { width: Number(width), height: Number(height) };
}

/**
 * Returns the address of a file. With `width` and `height`, the picture is cropped to the nearest of the service's
 * ratios, unless none is within 1 %. An address that is not a picture of the service is returned unchanged.
 */
export function generate(
  src: string | URL,
  operations: SilverprintOperations,
  { base }: SilverprintOptions = {},
): string {
  const { width, quality, format, ratio, focalPoint, fit, background } = operations;
  const [x, y] = (focalPoint ?? "").split(",").map(Number);
  return fileUrl(throughBase(String(src), base), {
    width: width === undefined ? undefined : Number(width),
    box: boxOf(operations),
    quality,
    format,
    ratio,
    fit,
    background,
    focalPoint: x === undefined || y === undefined ? undefined : { x, y },
  });
}

/** Does the same as `generate`, for an address that may have operations already. Those in `operations` replace them. */
export const transform: TransformerFunction<SilverprintOperations, SilverprintOptions> = (
  src,
  operations,
  options,
) => generate(src, operations, options);

export interface UnpicImageProps extends ComponentProps {
  /** The placeholder. */
  background?: string;
  /** The part that is shown until a crop is built. The properties have their CSS names. */
  style?: Record<string, string>;
}

/**
 * Returns the props of an `<Image>`, except for its `transformer`. With `ratio`, the picture is cropped. `width` is its
 * width on the page in CSS pixels, by default that of the master.
 */
export function imageProps(media: Picture, options: FileOptions = {}): UnpicImageProps {
  const behind = backgroundOf(media, options);
  const frame = frameStyle(media, options);
  return {
    ...componentProps(media, options),
    ...(behind !== undefined && { background: behind }),
    ...(frame && { style: { "object-position": frame.objectPosition } }),
  };
}
