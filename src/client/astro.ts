/** Support for Astro: an image service, and the props of `<Image>` and `<Picture>` for a media object. */
import type { ExternalImageService } from "astro";
import { readAddress, throughBase } from "./pictures/address.ts";
import { componentProps, styleOf, styleText, type ComponentProps } from "./pictures/component.ts";
import { fileOf, fileUrl, type Wanted } from "./pictures/file.ts";
import { FLUID_WIDTHS, shownHeight, shownSize } from "./pictures/ladder.ts";
import type { FileOptions, Picture } from "./pictures/picture.ts";
import { readNotes } from "./pictures/source.ts";
export { remoteAddress } from "./pictures/address.ts";

export type { AspectRatio, FileOptions, FocalPoint, Picture } from "./pictures/picture.ts";

type Transform = Parameters<ExternalImageService["getURL"]>[0];
type ImageConfig = Parameters<ExternalImageService["getURL"]>[1] | undefined;

export interface ServiceConfig {
  /**
   * The service and the space: `https://pictures.example/api/v1/shop`. With it, a `src` with the whole address of a
   * picture on another server is asked for at the service.
   */
  base?: string;
}

/** Qualities by Astro's names. */
const QUALITY_NAMES: Record<string, number> = { low: 80, mid: 80, high: 90, max: 100 };
/** Densities of an image without `widths`, `densities` and layout. */
const DENSITIES = [1, 2];

const addressOf = ({ src }: Transform, config: ImageConfig): string =>
  throughBase(
    typeof src === "string" ? src : src.src,
    (config?.service.config as ServiceConfig | undefined)?.base,
  );

/** Options that are not attributes of the element. */
const OPTIONS = new Set([
  ...["src", "quality", "format", "formats", "widths", "densities", "layout", "priority"],
  ...["fit", "position", "background", "inferSize"],
]);

/** The options that determine an address. */
interface Options {
  width?: number;
  height?: number;
  fit?: string;
  quality?: string | number;
  format?: string;
  widths?: number[];
  densities?: (number | string)[];
}

function wantedOf(transform: Transform): Wanted {
  const { width, height, fit, quality, format } = transform as Options;
  const isCropped = fit === "cover" && width !== undefined && height !== undefined;
  return {
    width,
    box: isCropped ? { width, height } : undefined,
    quality: QUALITY_NAMES[String(quality)] ?? quality,
    format,
  };
}

/** Adds the missing width or height, from what the address says about the master. */
function sized(transform: Transform, config: ImageConfig): Transform {
  const address = readAddress(addressOf(transform, config));
  const notes = readNotes(address?.fragment ?? "");
  if (!address || !notes) return transform;
  const { query } = address;
  const shown = { master: notes.size, ratio: query.get("ar"), isPadded: query.get("fit") === "pad" };
  const size = shownSize(shown);
  const { width, height } = transform;
  const across =
    width ?? (height === undefined ? size.width : Math.round((height * size.width) / size.height));
  return { ...transform, width: across, height: height ?? shownHeight(shown, across) };
}

interface Candidate {
  transform: Transform;
  descriptor: string;
}

/** Returns one candidate per file. Several widths may have the same file. */
function candidates(
  transform: Transform,
  config: ImageConfig,
  asked: { width: number; descriptor?: string }[],
): Candidate[] {
  const { width = 0, height } = transform;
  const byUrl = new Map<string, Candidate>();
  for (const { width: wanted, descriptor } of asked) {
    const scaled = height === undefined || width === 0 ? undefined : (height * wanted) / width;
    const box = { ...transform, width: wanted, height: scaled };
    const file = fileOf(addressOf(transform, config), wantedOf(box));
    if (!file || byUrl.has(file.url)) continue;
    byUrl.set(file.url, { transform: box, descriptor: descriptor ?? `${file.width}w` });
  }
  return [...byUrl.values()];
}

const service: ExternalImageService = {
  validateOptions: sized,

  getURL: (transform, config) => fileUrl(addressOf(transform, config), wantedOf(transform)),

  getSrcSet(transform, config) {
    const { width, widths, densities } = transform as Options;
    if (widths) {
      const sorted = [...widths].sort((a, b) => a - b);
      return candidates(
        transform,
        config,
        sorted.map((each) => ({ width: each })),
      );
    }
    if (width === undefined) return [];
    const factors = (densities ?? DENSITIES).map((density) => Number.parseFloat(String(density)));
    return candidates(
      transform,
      config,
      factors.map((factor) => ({ width: width * factor, descriptor: `${factor}x` })),
    );
  },

  getHTMLAttributes: (transform) =>
    Object.fromEntries(Object.entries(transform).filter(([name]) => !OPTIONS.has(name))),
};

/**
 * The value of `image.breakpoints` in astro.config: the widths of the service. Without it, Astro offers its own widths,
 * several of which have the same file.
 */
export const breakpoints: number[] = [...FLUID_WIDTHS];

/** The service that `service: { entrypoint: "silverprint/astro" }` in astro.config names. */
export default service;

export interface AstroImageProps extends ComponentProps {
  /** The box of a crop, and the placeholder behind the picture. */
  style?: string;
}

/**
 * Returns the props of an `<Image>`. With `ratio`, the picture is cropped. `width` is its width on the page in CSS
 * pixels, by default that of the master.
 */
export function imageProps(media: Picture, options: FileOptions = {}): AstroImageProps {
  const style = styleOf(media, options);
  return { ...componentProps(media, options), ...(style && { style: styleText(style) }) };
}
