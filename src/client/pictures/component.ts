/** The props that the image components of all frameworks share. */
import { background } from "./blur.ts";
import { frameStyle } from "./frame.ts";
import { shownHeight, shownSize } from "./ladder.ts";
import type { FileOptions, Picture } from "./picture.ts";
import { checkedRatio, sourceOf } from "./source.ts";

export interface ComponentProps {
  /** The address of the picture, with everything that a loader must know about it. */
  src: string;
  /** In CSS pixels. */
  width: number;
  height: number;
  alt: string;
}

type Box = Pick<ComponentProps, "width" | "height">;

/**
 * Returns the size on the page in CSS pixels: `width` and the height that follows, or by default the size of the shown
 * part.
 */
export function boxOf(media: Picture, { width, ratio, fit }: FileOptions): Box {
  const shown = { master: media, ratio: checkedRatio(ratio), isPadded: fit === "pad" };
  return width === undefined ? shownSize(shown) : { width, height: shownHeight(shown, width) };
}

export const componentProps = (media: Picture, options: FileOptions): ComponentProps => ({
  src: sourceOf(media, options),
  ...boxOf(media, options),
  alt: media.alt ?? "",
});

/** CSS properties by their names in scripts: the box of a crop, and the placeholder behind the picture. */
export type PictureStyle = Record<string, string>;

/** Returns the style of a picture; undefined if it needs none. */
export function styleOf(media: Picture, options: FileOptions, isBlurred = true): PictureStyle | undefined {
  const behind = isBlurred ? background(media, options) : undefined;
  const style = { ...frameStyle(media, options), ...(behind !== undefined && { background: behind }) };
  return Object.keys(style).length > 0 ? style : undefined;
}

/** Returns the style as text, for HTML. */
export const styleText = (style: PictureStyle): string =>
  Object.entries(style)
    .map(([name, value]) => `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`)
    .join(";");
