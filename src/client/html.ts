/**
 * Attributes of `<img>`, `srcset` and `<picture>` for plain HTML and templates. Widths are those of the service's grid,
 * up to the width of the master. Addresses are those of direct delivery, which answers without a redirect. The address
 * of a crop has its focal point, so that browsers may keep it for a year.
 */
import { boxOf, styleOf, styleText } from "./pictures/component.ts";
import { fileOf, fileUrl, type PictureFile } from "./pictures/file.ts";
import { FLUID_WIDTHS } from "./pictures/ladder.ts";
import { isVector, type AspectRatio, type FileOptions, type Picture } from "./pictures/picture.ts";
import { formatOf, sourceOf } from "./pictures/source.ts";

export type { AspectRatio, FileOptions, FocalPoint, Picture } from "./pictures/picture.ts";

export interface PictureOptions extends FileOptions {
  /**
   * For an image: its width on the page in CSS pixels, if the viewport is wide enough. For `pictureUrl`: the width of
   * the file in pixels.
   */
  width?: number | undefined;
  /** The widths to choose from, in pixels. Each is rounded up to the grid. */
  widths?: readonly number[] | undefined;
  /** The attribute `sizes`. By default it follows from `width`, or is the width of the viewport. */
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
  /**
   * In CSS pixels. The browser derives the ratio from width and height, so that nothing moves when the picture loads.
   */
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

/** Width of the `src` of an image without `width`, for readers that ignore `srcset`. */
const FALLBACK_WIDTH_PIXELS = 1000;
/** The largest useful number of pixels per CSS pixel. */
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

/** All files from narrow to wide, each once. Empty for an address that is not a picture of the service. */
function filesOf(media: Picture, options: PictureOptions): PictureFile[] {
  const src = sourceOf(media, options);
  const files = widthsOf(options).map((width) => fileOf(src, { width }));
  const byUrl = new Map(files.filter((file) => file !== null).map((file) => [file.url, file]));
  return [...byUrl.values()].sort((a, b) => a.width - b.width);
}

/** The value of `srcset`, with widths. */
export function srcset(media: Picture, options: PictureOptions = {}): string {
  const files = filesOf(media, options);
  if (files.length === 0) return `${media.directUrl} ${media.width}w`;
  return files.map(({ url, width }) => `${url} ${width}w`).join(", ");
}

function sizesOf({ width, sizes }: PictureOptions): string {
  if (sizes !== undefined) return sizes;
  return width === undefined ? "100vw" : `(min-width: ${width}px) ${width}px, 100vw`;
}

/** Whether one file serves all widths, as for a drawing. */
const isOneFile = (media: Picture, { ratio, format }: PictureOptions): boolean =>
  isVector(media) && ratio === undefined && formatOf(format) === null;

/**
 * The attributes of an `<img>`. With a ratio per media query, they are for the `<img>` in a `<picture>`, after the
 * elements of `pictureSources`: it shows the last ratio, and has the box of the chosen source.
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

/** The attributes of the `<source>` elements of a `<picture>`, one per media query of `ratio`, in its order. */
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
