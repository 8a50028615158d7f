/** Oklab (Björn Ottosson, https://bottosson.github.io/posts/oklab): colours in which distances look like what they are. */

export interface Oklab {
  /** 0 for black to 1 for white. */
  lightness: number;
  /** Negative for green, positive for red; a grey has 0. */
  greenRed: number;
  /** Negative for blue, positive for yellow; a grey has 0. */
  blueYellow: number;
}

/** Linear light of each 8-bit value of sRGB (IEC 61966-2-1). */
const LINEAR = Float64Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

/** @param red 0 to 255, in sRGB, as `green` and `blue` */
export function toOklab(red: number, green: number, blue: number): Oklab {
  const [r, g, b] = [LINEAR[red] as number, LINEAR[green] as number, LINEAR[blue] as number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    greenRed: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    blueYellow: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

/** Skin of all shades lies around one hue, and is neither grey nor gaudy. */
const SKIN = {
  hueDegrees: 50,
  hueReachDegrees: 28,
  saturationMin: 0.02,
  saturationMax: 0.16,
  lightnessMin: 0.3,
  lightnessMax: 0.93,
} as const;

/** Returns how much a colour is like skin: 0 to 1. */
export function likenessToSkin({ lightness, greenRed, blueYellow }: Oklab): number {
  const saturation = Math.hypot(greenRed, blueYellow);
  if (saturation < SKIN.saturationMin || saturation > SKIN.saturationMax) return 0;
  if (lightness < SKIN.lightnessMin || lightness > SKIN.lightnessMax) return 0;
  const hue = (Math.atan2(blueYellow, greenRed) * 180) / Math.PI;
  return Math.max(0, 1 - Math.abs(hue - SKIN.hueDegrees) / SKIN.hueReachDegrees);
}
