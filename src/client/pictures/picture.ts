/** The properties of a media object that the picture helpers read, and the options of the helpers. */
import { FORMATS, formatOfMime, type OutputFormat } from "../../image/formats/registry.ts";

/** A point in a picture, as shares of its width (from the left) and height (from the top), 0 to 1. */
export interface FocalPoint {
  x: number;
  y: number;
}

/**
 * A media object, or the known part of it. With only `directUrl`, `width` and `height`, everything works except for
 * immutable crops, the blurred picture, and vectors: drawings are then requested as pixels.
 */
export interface Picture {
  /** `https://images.example.com/api/v1/my-site/pictures/ID/file?v=1` */
  directUrl: string;
  /** The displayed width of the master, in pixels. */
  width: number;
  height: number;
  alt?: string | undefined;
  mime?: string | undefined;
  animated?: boolean | undefined;
  hasAlpha?: boolean | undefined;
  /** Null means the centre; absent means unknown. */
  focalPoint?: FocalPoint | null | undefined;
  focalPointSuggested?: FocalPoint | null | undefined;
  placeholder?: { thumbHash: string; dominantColor: string } | null | undefined;
  /** Their addresses have the quality of the space's settings. */
  formats?: { large: { directUrl: string } } | undefined;
}

/** A ratio `W:H` of the space's setting `aspectRatios`. */
export type AspectRatio = `${number}:${number}`;

export interface FileOptions {
  /** The width in pixels. It is rounded up to a width that the service builds. */
  width?: number | undefined;
  /** Rounded up to 80, 90, 95 or 100; by default the quality of the space's settings. */
  quality?: number | undefined;
  /** By default the best format that the browser accepts. */
  format?: "auto" | OutputFormat | undefined;
  /** The ratio to which the picture is cropped, or of the canvas on which it stands. */
  ratio?: AspectRatio | undefined;
  /** With "pad", the whole picture stands on a canvas of `ratio`. By default it is cropped. */
  fit?: "crop" | "pad" | undefined;
  /**
   * The colour beside and below the picture, one of the space's setting `backgrounds`: six hexadecimal digits or
   * `transparent`. By default transparent where the format can be, else white.
   */
  background?: string | undefined;
  /** The centre of a crop, instead of the media object's focal point. It is rounded to steps of 0.05. */
  focalPoint?: FocalPoint | undefined;
}

/** Returns whether the picture is a drawing, which can have any width. */
export const isVector = ({ mime = "" }: Pick<Picture, "mime">): boolean => {
  const format = formatOfMime(mime);
  return format !== null && FORMATS[format].isVector;
};
