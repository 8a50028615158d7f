/** What the picture helpers read of a media object, and what a page may ask of them. */
/** A place in a picture: shares of its width and height, from the left and top, 0 to 1. */
export interface FocalPoint {
  x: number;
  y: number;
}

/**
 * A media object, or as much of it as is known. With `directUrl`, `width` and `height` alone, everything works but crops
 * that are kept for good, the blurred picture, and drawings, which are then asked for as pixels.
 */
export interface Picture {
  /** `https://images.example.com/api/v1/my-site/pictures/ID/file?v=1` */
  directUrl: string;
  /** Pixels of the master, as displayed. */
  width: number;
  height: number;
  alt?: string | undefined;
  mime?: string | undefined;
  animated?: boolean | undefined;
  hasAlpha?: boolean | undefined;
  /** Null is the centre; absent means that it is not known. */
  focalPoint?: FocalPoint | null | undefined;
  focalPointSuggested?: FocalPoint | null | undefined;
  placeholder?: { thumbHash: string; dominantColor: string } | null | undefined;
  /** Their addresses name the quality that the space's settings choose. */
  formats?: { large: { directUrl: string } } | undefined;
}

/** `W:H`, one of the space's setting `aspectRatios`. */
export type AspectRatio = `${number}:${number}`;

export interface FileOptions {
  /** Width in pixels. It is rounded up to a width that the service makes. */
  width?: number | undefined;
  /** Rounded up to 80, 90, 95 or 100; without it, what the space's settings choose. */
  quality?: number | undefined;
  /** Without it, the best that the browser takes. */
  format?: "auto" | "jpeg" | "png" | "webp" | "avif" | undefined;
  /** Crops. */
  ratio?: AspectRatio | undefined;
  /** What a crop is centred on, in place of the media object's own; rounded to steps of 0.05. */
  focalPoint?: FocalPoint | undefined;
}

export const isVector = ({ mime }: Picture): boolean => mime === "image/svg+xml";
