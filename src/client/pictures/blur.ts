/** The blurred picture that a page shows until the picture has loaded: a ThumbHash as a PNG of about 850 bytes. */
import { rgbaToDataURL, thumbHashToRGBA } from "thumbhash";
import type { Rect, Size } from "../../image/geometry/size.ts";
import { TRANSPARENT } from "../../image/model/background.ts";
import { shownRect } from "./frame.ts";
import type { FileOptions, Picture } from "./picture.ts";
import { checkedBackground } from "./source.ts";

/** The longer side in pixels: more than twice the highest frequency of a ThumbHash. */
const SIDE_PIXELS = 16;

/** Returns the shown part of the picture, as shares of its width and height. */
function shownPart(picture: Picture, options: FileOptions): Rect {
  const rect = shownRect(picture, options);
  if (!rect) return { left: 0, top: 0, width: 1, height: 1 };
  const { width, height } = picture;
  return {
    left: rect.left / width,
    top: rect.top / height,
    width: rect.width / width,
    height: rect.height / height,
  };
}

interface Pixels {
  w: number;
  h: number;
  /** Four bytes per pixel. */
  rgba: Uint8Array;
}

/** Returns the mean of the pixels that each pixel of the smaller picture covers, at least one. */
function shrunk({ w, h, rgba }: Pixels, part: Rect, to: Size): Uint8Array {
  const small = new Uint8Array(4 * to.width * to.height);
  const covered = (start: number, length: number, all: number, at: number, of: number): [number, number] => {
    const from = Math.min(all - 1, Math.floor(all * (start + (length * at) / of)));
    return [from, Math.max(from + 1, Math.floor(all * (start + (length * (at + 1)) / of)))];
  };
  for (let i = 0; i < to.width * to.height; i++) {
    const [left, right] = covered(part.left, part.width, w, i % to.width, to.width);
    const [top, bottom] = covered(part.top, part.height, h, Math.floor(i / to.width), to.height);
    for (let channel = 0; channel < 4; channel++) {
      let sum = 0;
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) sum += rgba[4 * (y * w + x) + channel]!;
      small[4 * i + channel] = Math.round(sum / ((right - left) * (bottom - top)));
    }
  }
  return small;
}

/**
 * Returns a `data:` address of the blurred picture, cropped as the picture is.
 * @returns undefined while the media object has no placeholder
 */
export function blurDataURL(picture: Picture, options: FileOptions = {}): string | undefined {
  // Pages stretch it over the box, in which a padded picture is narrower.
  if (!picture.placeholder || options.fit === "pad") return undefined;
  const hash = Uint8Array.from(atob(picture.placeholder.thumbHash), (character) => character.charCodeAt(0));
  const part = shownPart(picture, options);
  const shown = { width: part.width * picture.width, height: part.height * picture.height };
  const scale = SIDE_PIXELS / Math.max(shown.width, shown.height);
  const to = {
    width: Math.max(1, Math.round(shown.width * scale)),
    height: Math.max(1, Math.round(shown.height * scale)),
  };
  return rgbaToDataURL(to.width, to.height, shrunk(thumbHashToRGBA(hash), part, to));
}

/** Returns the CSS colour of a background; undefined for none. */
const cssColour = (background: string | undefined): string | undefined =>
  background === undefined || checkedBackground(background) === TRANSPARENT ? undefined : `#${background}`;

/** Returns the CSS value of `background`: the blurred picture over the dominant colour. */
export function background(picture: Picture, options: FileOptions = {}): string | undefined {
  if (options.fit === "pad") return cssColour(options.background);
  // The background would be visible through transparent parts of the loaded picture.
  if (!picture.placeholder || picture.hasAlpha) return undefined;
  return `${picture.placeholder.dominantColor} url(${blurDataURL(picture, options)}) 50%/cover no-repeat`;
}
