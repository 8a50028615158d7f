/**
 * A focal point worked out from the small picture of a placeholder (RULES 4.8), by a method without a model:
 *
 * 1. Each pixel becomes lightness and two colour differences (Oklab, Björn Ottosson 2020), and alpha, so that what is
 *    colourful differs more than what is grey.
 * 2. Its weight is the sum of its edges, its contrast with the border of the picture, its likeness to skin, and a little
 *    of its saturation, each measured against the picture's own mean.
 * 3. Pixels near the centre weigh more: most pictures have their subject there.
 * 4. Weights are smoothed and raised to a power, so that the strongest place decides, and not the largest texture.
 * 5. On each axis, the focal point is where crops of several lengths hold the most weight.
 *
 * The numbers were tuned on one half of 93 photographs with marked subjects, and measured on the other half:
 * `scripts/measure/focal-points.ts` prints how often crops hold the subject, beside crops around the centre.
 */
import { CENTRE, type FocalPoint } from "../../image/geometry/focal-point.ts";
import { borderContrast } from "./border-contrast.ts";
import { boxBlur, type Plane } from "./box-blur.ts";
import { likenessToSkin, toOklab } from "./oklab.ts";
import type { Pixels } from "./thumb-hash.ts";

const WEIGHTS = { edges: 1, contrast: 1, skin: 0.1, saturation: 0.1 } as const;
/** A step of colour counts as much as a step of lightness twice its size: Oklab's colour differences are small. */
const COLOUR_GAIN = 2;
/**
 * The share that is left of the weight at a corner's end of the bell: a subject at the border is found all the same.
 */
const OFF_CENTRE_SHARE = 0.3;
/** Standard deviation of the bell around the centre, of width and of height. */
const BELL_SHARE = 0.4;
const SMOOTHED_SHARE = 0.03;
const POWER = 3;
/** Lengths of crops, of the length that they are cut from. */
const CROP_SHARES = [0.3, 0.45, 0.6] as const;
/** Sums that differ by less are the same place's. */
const SAME = 1e-9;

/**
 * Returns the focal point that a picture suggests, in percent; the centre where nothing in it stands out.
 * @param pixels upright, in sRGB
 */
export function suggestFocalPoint(pixels: Pixels): FocalPoint {
  const { width, height, values } = weightsOf(pixels);
  const columns = new Float64Array(width);
  const rows = new Float64Array(height);
  values.forEach((weight, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    columns[x] = (columns[x] as number) + weight;
    rows[y] = (rows[y] as number) + weight;
  });
  return { x: bestPercent(columns), y: bestPercent(rows) };
}

/** Returns how much each pixel draws the eye: 0 to 1, all of it 0 where nothing does. */
function weightsOf(pixels: Pixels): Plane {
  const { width, height } = pixels;
  const planes = planesOf(pixels);
  const opacity = planes.alpha;
  const channels = [planes.lightness, planes.greenRed, planes.blueYellow, planes.alpha];
  const edges = overMean(edgesOf(channels, width, height));
  const contrast = overMean(sumOf(channels.map((values) => borderContrast({ width, height, values }))));
  const saturation = overMean(aboveMean(planes.saturation));
  const skin = overMean(planes.skin);
  const values = edges.map((edge, at) => {
    const sum =
      WEIGHTS.edges * edge +
      WEIGHTS.contrast * (contrast[at] as number) +
      WEIGHTS.skin * (skin[at] as number) +
      WEIGHTS.saturation * (saturation[at] as number);
    return sum * (opacity[at] as number) * centreShare(at, width, height);
  });
  const radius = Math.round(SMOOTHED_SHARE * Math.max(width, height));
  const smooth = boxBlur({ width, height, values }, radius);
  const most = smooth.values.reduce((a, b) => Math.max(a, b), 0);
  return { ...smooth, values: smooth.values.map((value) => (most > 0 ? (value / most) ** POWER : 0)) };
}

/** Returns the channels of each pixel, those of colour weighed by alpha: a fully transparent pixel has no colour. */
function planesOf({ width, height, rgba }: Pixels) {
  const plane = (): Float64Array => new Float64Array(width * height);
  const planes = {
    lightness: plane(),
    greenRed: plane(),
    blueYellow: plane(),
    alpha: plane(),
    saturation: plane(),
    skin: plane(),
  };
  for (let at = 0; at < width * height; at++) {
    const [red, green, blue, alpha] = rgba.subarray(4 * at, 4 * at + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const colour = toOklab(red, green, blue);
    const opacity = alpha / 255;
    planes.lightness[at] = opacity * colour.lightness;
    planes.greenRed[at] = opacity * COLOUR_GAIN * colour.greenRed;
    planes.blueYellow[at] = opacity * COLOUR_GAIN * colour.blueYellow;
    planes.alpha[at] = opacity;
    planes.saturation[at] = opacity * Math.hypot(colour.greenRed, colour.blueYellow);
    planes.skin[at] = opacity * likenessToSkin(colour);
  }
  return planes;
}

/** Returns the length of the gradient over all channels, by central differences. */
function edgesOf(channels: readonly Float64Array[], width: number, height: number): Float64Array {
  const edges = new Float64Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    const [above, below] = [Math.max(0, y - 1) * width, Math.min(height - 1, y + 1) * width];
    for (let x = 0; x < width; x++, at++) {
      const [left, right] = [y * width + Math.max(0, x - 1), y * width + Math.min(width - 1, x + 1)];
      let sum = 0;
      for (const values of channels) {
        const across = (values[right] as number) - (values[left] as number);
        const down = (values[below + x] as number) - (values[above + x] as number);
        sum += across * across + down * down;
      }
      edges[at] = Math.sqrt(sum);
    }
  }
  return edges;
}

function centreShare(at: number, width: number, height: number): number {
  const x = ((at % width) + 0.5) / width - 0.5;
  const y = (Math.floor(at / width) + 0.5) / height - 0.5;
  const bell = Math.exp(-(x * x + y * y) / (2 * BELL_SHARE * BELL_SHARE));
  return OFF_CENTRE_SHARE + (1 - OFF_CENTRE_SHARE) * bell;
}

const meanOf = (values: Float64Array): number => values.reduce((a, b) => a + b, 0) / values.length;

function overMean(values: Float64Array): Float64Array {
  const mean = meanOf(values);
  return values.map((value) => (mean > SAME ? value / mean : 0));
}

function aboveMean(values: Float64Array): Float64Array {
  const mean = meanOf(values);
  return values.map((value) => Math.max(0, value - mean));
}

const sumOf = (planes: readonly Float64Array[]): Float64Array =>
  (planes[0] as Float64Array).map((_, at) => planes.reduce((sum, plane) => sum + (plane[at] as number), 0));

/**
 * Returns where crops centred there, and pushed back inside, hold the most weight; of places that are as good, the
 * middle.
 */
function bestPercent(weights: Float64Array): number {
  const sums = [0];
  for (const weight of weights) sums.push((sums.at(-1) as number) + weight);
  const total = sums.at(-1) as number;
  if (total === 0) return CENTRE.x;
  /** Returns the sum before a place, in parts of pixels. */
  const before = (place: number): number => {
    const whole = Math.floor(place);
    return (sums[whole] as number) + (place - whole) * (weights[whole] ?? 0);
  };
  const held = (percent: number): number =>
    CROP_SHARES.reduce((sum, share) => {
      const length = share * weights.length;
      const start = Math.min(
        weights.length - length,
        Math.max(0, (percent / 100) * weights.length - length / 2),
      );
      return sum + before(start + length) - before(start);
    }, 0);
  const all = Array.from({ length: 101 }, (_, percent) => held(percent));
  const most = Math.max(...all);
  const best = [...all.keys()].filter((percent) => (all[percent] as number) >= most - SAME * total);
  return Math.round(best.reduce((a, b) => a + b, 0) / best.length);
}
