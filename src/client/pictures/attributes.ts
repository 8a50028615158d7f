/**
 * Attributes of `<img>`, `srcset` and `<picture>` for plain HTML and templates. Widths are those of the service's grid,
 * up to the width of the master. Addresses are those of direct delivery, which answers without a redirect. The address
 * of a crop has its focal point, so that browsers may keep it for a year.
 */
import { boxOf, styleOf, styleText } from "./component.ts";
import { fileOf, fileUrl, type PictureFile } from "./file.ts";
import { FLUID_WIDTHS } from "./ladder.ts";
import { isVector, type AspectRatio, type FileOptions, type Picture } from "./picture.ts";
import { formatOf, sourceOf } from "./source.ts";

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
  /**
   * With "lazy", the browser loads the picture when it comes near the viewport. It then knows how wide the picture is
   * shown: `sizes` begins with `auto`, and the rest is for browsers without that.
   */
  loading?: "lazy" | "eager" | undefined;
  /** Whether the picture is the first one that a visitor sees. It is loaded at once, before others. */
  priority?: boolean | undefined;
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
  loading?: "lazy" | "eager";
  fetchpriority?: "high";
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

/** The attributes of a `<link>` in the head of a page, with which the browser loads a picture before it finds its tag. */
export interface PreloadAttributes {
  rel: "preload";
  as: "image";
  fetchpriority: "high";
  media?: string;
  type?: string;
  href?: string;
  imagesrcset?: string;
  imagesizes?: string;
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

/** Returns the address of one file. */
export function pictureUrl(media: Picture, options: PictureOptions = {}): string {
  return fileUrl(sourceOf(media, options), { width: options.width });
}

function widthsOf({ width, widths }: PictureOptions): readonly number[] {
  if (widths && widths.length > 0) return widths;
  if (width === undefined) return FLUID_WIDTHS;
  const below = FLUID_WIDTHS.filter((step) => step < width * DENSITY_MAX);
  return [width, ...below, width * DENSITY_MAX];
}

/** Returns all files from narrow to wide, each once. Empty for an address that is not a picture of the service. */
function filesOf(media: Picture, options: PictureOptions): PictureFile[] {
  const src = sourceOf(media, options);
  const files = widthsOf(options).map((width) => fileOf(src, { width }));
  const byUrl = new Map(files.filter((file) => file !== null).map((file) => [file.url, file]));
  return [...byUrl.values()].sort((a, b) => a.width - b.width);
}

/** Returns the value of `srcset`, with widths. */
export function srcset(media: Picture, options: PictureOptions = {}): string {
  const files = filesOf(media, options);
  if (files.length === 0) return `${media.directUrl} ${media.width}w`;
  return files.map(({ url, width }) => `${url} ${width}w`).join(", ");
}

/** Returns the width on the page, as the options say it. */
function statedSizes({ width, sizes }: PictureOptions): string {
  if (sizes !== undefined) return sizes;
  return width === undefined ? "100vw" : `(min-width: ${width}px) ${width}px, 100vw`;
}

const isLazy = ({ loading, priority }: PictureOptions): boolean => loading === "lazy" && !priority;

/** Returns the value of `sizes`. Only a lazy picture is laid out before it is loaded, so that its width may be `auto`. */
function sizesOf(options: PictureOptions): string {
  const stated = statedSizes(options);
  return isLazy(options) && !/^auto\b/i.test(stated) ? `auto, ${stated}` : stated;
}

/** Returns the attributes that say when the picture is loaded. */
const loadingOf = ({
  loading,
  priority,
}: PictureOptions): Pick<ImgAttributes, "loading" | "fetchpriority"> => ({
  ...(priority ? { loading: "eager", fetchpriority: "high" } : loading !== undefined && { loading }),
});

/** Returns whether one file serves all widths, as for a drawing. */
const isOneFile = (media: Picture, { ratio, format }: PictureOptions): boolean =>
  isVector(media) && ratio === undefined && formatOf(format) === null;

/**
 * Returns the attributes of an `<img>`. With a ratio per media query, they are for the `<img>` in a `<picture>`, after
 * the elements of `pictureSources`: it shows the last ratio, and has the box of the chosen source.
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
    // Before `src`, because a browser may begin to load as soon as that is set.
    ...loadingOf(shown),
    ...(!isOneFile(media, shown) && responsive),
    src: pictureUrl(media, { ...shown, width: shown.width ?? FALLBACK_WIDTH_PIXELS }),
    ...boxOf(media, shown),
    ...(Object.keys(style).length > 0 && { style: styleText(style) }),
  };
}

/** Returns the attributes of the `<source>` elements of a `<picture>`, one per media query of `ratio`, in its order. */
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

/**
 * Returns the attributes of a `<link>` that loads the first picture of a page as early as can be: the file that
 * `imgAttributes` and `pictureSources` have the browser choose with the same options. One per media query of `ratio`.
 */
export function preloadLinks(media: Picture, options: SourcesOptions = {}): PreloadAttributes[] {
  const { ratio, ...others } = options;
  const first = { rel: "preload", as: "image", fetchpriority: "high" } as const;
  const one = { ...others, ratio: typeof ratio === "object" ? undefined : ratio };
  if (typeof ratio !== "object" && isOneFile(media, one)) return [{ ...first, href: pictureUrl(media, one) }];
  return pictureSources(media, { ...options, priority: true }).map(
    ({ media: query, type, sizes, srcset }) => ({
      ...first,
      ...(query !== undefined && { media: query }),
      ...(type !== undefined && { type }),
      imagesrcset: srcset,
      imagesizes: sizes,
    }),
  );
}
