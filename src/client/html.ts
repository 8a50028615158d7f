/**
 * Attributes for plain HTML, and for what writes it: `<img>`, `srcset` and `<picture>`. Widths are those of the
 * service's grid, none more than the master has; addresses are those of direct delivery, which answers without a
 * redirect; and what is cropped names its focal point, so that browsers keep it for good.
 */
import { boxOf, styleOf, styleText } from "./pictures/component.ts";
import { fileOf, fileUrl, type PictureFile } from "./pictures/file.ts";
import { FLUID_WIDTHS } from "./pictures/ladder.ts";
import { isVector, type AspectRatio, type FileOptions, type Picture } from "./pictures/picture.ts";
import { formatOf, sourceOf } from "./pictures/source.ts";

export type { AspectRatio, FileOptions, FocalPoint, Picture } from "./pictures/picture.ts";

export interface PictureOptions extends FileOptions {
  /**
   * Of an image: its width on the page in CSS pixels, where the viewport has room for it. Of `pictureUrl`: the file's
   * width in pixels.
   */
  width?: number | undefined;
  /** The widths to choose from, in pixels. Each is rounded up to the grid. */
  widths?: readonly number[] | undefined;
  /** How wide the picture is shown, as in HTML; without it, what `width` says, or the viewport's width. */
  sizes?: string | undefined;
}

export interface SourcesOptions extends Omit<PictureOptions, "ratio"> {
  /** One ratio, or one per media query: `{"(max-width: 640px)": "4:5", "(min-width: 641px)": "21:9"}`. */
  ratio?: AspectRatio | Readonly<Record<string, AspectRatio>> | undefined;
}

export interface ImgAttributes {
  alt?: string;
  sizes?: string;
  srcset?: string;
  src: string;
  /** CSS pixels. They give the browser the ratio, so that nothing moves when the picture arrives. */
  width: number;
  height: number;
  /**
   * The box of a crop, and the placeholder behind the picture, unless there is none yet or the picture is transparent.
   */
  style?: string;
}

export interface SourceAttributes {
  media?: string;
  type?: string;
  sizes: string;
  srcset: string;
  width: number;
  height: number;
}

/** The `src` of an image without `width`, for what does not read `srcset`. */
const FALLBACK_WIDTH_PIXELS = 1000;
/** More pixels per CSS pixel than these are not seen. */
const DENSITY_MAX = 2;

/** The address of one file. */
export function pictureUrl(media: Picture, options: PictureOptions = {}): string {
  return fileUrl(sourceOf(media, options), { width: options.width });
}

function widthsOf({ width, widths }: PictureOptions): readonly number[] {
  if (widths && widths.length > 0) return widths;
  if (width === undefined) return FLUID_WIDTHS;
  const below = FLUID_WIDTHS.filter((step) => step < width * DENSITY_MAX);
  return [width, ...below, width * DENSITY_MAX];
}

/** From narrow to wide, each once. Empty for what is no picture of the service. */
function filesOf(media: Picture, options: PictureOptions): PictureFile[] {
  const src = sourceOf(media, options);
  const files = widthsOf(options).map((width) => fileOf(src, { width }));
  const byUrl = new Map(files.filter((file) => file !== null).map((file) => [file.url, file]));
  return [...byUrl.values()].sort((a, b) => a.width - b.width);
}

/** `srcset` with widths. */
export function srcset(media: Picture, options: PictureOptions = {}): string {
  const files = filesOf(media, options);
  if (files.length === 0) return `${media.directUrl} ${media.width}w`;
  return files.map(({ url, width }) => `${url} ${width}w`).join(", ");
}

function sizesOf({ width, sizes }: PictureOptions): string {
  if (sizes !== undefined) return sizes;
  return width === undefined ? "100vw" : `(min-width: ${width}px) ${width}px, 100vw`;
}

/** A drawing is one file at every width. */
const isOneFile = (media: Picture, { ratio, format }: PictureOptions): boolean =>
  isVector(media) && ratio === undefined && formatOf(format) === null;

/**
 * Attributes of an `<img>`. With a ratio per media query they are those of the one in a `<picture>`, behind the elements
 * of `pictureSources`: it shows the last ratio, and has the box of whichever is chosen.
 */
export function imgAttributes(media: Picture, options: SourcesOptions = {}): ImgAttributes {
  const { ratio, ...others } = options;
  const isDirected = typeof ratio === "object";
  const shown = { ...others, ratio: isDirected ? Object.values(ratio).at(-1) : ratio };
  const responsive = { sizes: sizesOf(shown), srcset: srcset(media, shown) };
  const { background, ...frame } = styleOf(media, shown) ?? {};
  const style = { ...(!isDirected && frame), ...(background !== undefined && { background }) };
  return {
    ...(media.alt !== undefined && { alt: media.alt }),
    ...(!isOneFile(media, shown) && responsive),
    src: pictureUrl(media, { ...shown, width: shown.width ?? FALLBACK_WIDTH_PIXELS }),
    ...boxOf(media, shown),
    ...(Object.keys(style).length > 0 && { style: styleText(style) }),
  };
}

/** Attributes of the `<source>` elements of a `<picture>`, one per media query of `ratio`, in its order. */
export function pictureSources(media: Picture, options: SourcesOptions = {}): SourceAttributes[] {
  const { ratio, ...others } = options;
  const ratios = typeof ratio === "object" ? Object.entries(ratio) : [[undefined, ratio] as const];
  const format = formatOf(options.format);
  return ratios.map(([query, one]) => {
    const own = { ...others, ratio: one };
    return {
      ...(query !== undefined && { media: query }),
      ...(format && { type: `image/${format}` }),
      sizes: sizesOf(own),
      srcset: srcset(media, own),
      ...boxOf(media, own),
    };
  });
}
