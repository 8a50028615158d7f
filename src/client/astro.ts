/** Astro: the image service, and the props of a media object for `<Image>` and `<Picture>`. */
import type { ExternalImageService } from "astro";
import { readAddress } from "./pictures/address.ts";
import { componentProps, styleOf, styleText, type ComponentProps } from "./pictures/component.ts";
import { fileOf, fileUrl, type Wanted } from "./pictures/file.ts";
import { FLUID_WIDTHS, shownHeight, shownSize } from "./pictures/ladder.ts";
import type { FileOptions, Picture } from "./pictures/picture.ts";
import { readNotes } from "./pictures/source.ts";

export type { AspectRatio, FileOptions, FocalPoint, Picture } from "./pictures/picture.ts";

type Transform = Parameters<ExternalImageService["getURL"]>[0];

/** Astro's names of qualities. */
const QUALITY_NAMES: Record<string, number> = { low: 80, mid: 80, high: 90, max: 100 };
/** Densities of an image for which neither `widths` nor `densities` nor a layout is given. */
const DENSITIES = [1, 2];

const addressOf = ({ src }: Transform): string => (typeof src === "string" ? src : src.src);

/** What is not an attribute of the element. */
const OPTIONS = new Set([
  ...["src", "quality", "format", "formats", "widths", "densities", "layout", "priority"],
  ...["fit", "position", "background", "inferSize"],
]);

/** What an address is made of. */
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

/** Width and height, or the one of them that is missing, from what the address says of the master. */
function sized(transform: Transform): Transform {
  const address = readAddress(addressOf(transform));
  const notes = readNotes(address?.fragment ?? "");
  if (!address || !notes) return transform;
  const shown = { master: notes.size, ratio: address.query.get("ar") };
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

/** One candidate per file, though several widths may come to it. */
function candidates(transform: Transform, asked: { width: number; descriptor?: string }[]): Candidate[] {
  const { width = 0, height } = transform;
  const byUrl = new Map<string, Candidate>();
  for (const { width: wanted, descriptor } of asked) {
    const scaled = height === undefined || width === 0 ? undefined : (height * wanted) / width;
    const box = { ...transform, width: wanted, height: scaled };
    const file = fileOf(addressOf(transform), wantedOf(box));
    if (!file || byUrl.has(file.url)) continue;
    byUrl.set(file.url, { transform: box, descriptor: descriptor ?? `${file.width}w` });
  }
  return [...byUrl.values()];
}

const service: ExternalImageService = {
  validateOptions: sized,

  getURL: (transform) => fileUrl(addressOf(transform), wantedOf(transform)),

  getSrcSet(transform) {
    const { width, widths, densities } = transform as Options;
    if (widths) {
      const sorted = [...widths].sort((a, b) => a - b);
      return candidates(
        transform,
        sorted.map((each) => ({ width: each })),
      );
    }
    if (width === undefined) return [];
    const factors = (densities ?? DENSITIES).map((density) => Number.parseFloat(String(density)));
    return candidates(
      transform,
      factors.map((factor) => ({ width: width * factor, descriptor: `${factor}x` })),
    );
  },

  getHTMLAttributes: (transform) =>
    Object.fromEntries(Object.entries(transform).filter(([name]) => !OPTIONS.has(name))),
};

/**
 * `image.breakpoints` of astro.config: the service's widths. Without them, Astro offers widths of its own, several of
 * which are one file.
 */
export const breakpoints: number[] = [...FLUID_WIDTHS];

/** What `service: { entrypoint: "silverprint/astro" }` in astro.config stands for. */
export default service;

export interface AstroImageProps extends ComponentProps {
  /** The box of a crop, and the placeholder behind the picture. */
  style?: string;
}

/**
 * Props of an `<Image>`. With `ratio` it is cropped; `width` is its width on the page in CSS pixels, without which the
 * size of the master is taken.
 */
export function imageProps(media: Picture, options: FileOptions = {}): AstroImageProps {
  const style = styleOf(media, options);
  return { ...componentProps(media, options), ...(style && { style: styleText(style) }) };
}
