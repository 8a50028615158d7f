/**
 * ThumbHash (Evan Wallace, https://evanw.github.io/thumbhash): a picture of at most 100 x 100 in about 25 bytes.
 * Brightness, two colour differences and, where there is any, alpha, each as the lowest terms of a cosine
 * transform: a mean, a scale, and what varies in 4 bits a term.
 */
import { PLACEHOLDER } from "../../limits.ts";

export interface Pixels {
  width: number;
  height: number;
  /** Four bytes per pixel, red first, not multiplied by alpha. */
  rgba: Uint8Array;
}

/** A channel by its transform: the mean, and the other terms as 0 to 1 around a middle of 0.5. */
interface Terms {
  mean: number;
  scale: number;
  varying: number[];
}

/** Terms along the longer side of a picture, by channel. */
const BRIGHTNESS_TERMS = { opaque: 7, alpha: 5 } as const;
const ALPHA_TERMS = 5;
const LEAST_TERMS = 3;

/** @throws RangeError for a picture that is too large */
export function thumbHash({ width, height, rgba }: Pixels): Uint8Array {
  const longer = Math.max(width, height);
  if (longer > PLACEHOLDER.sideMaxPixels)
    throw new RangeError(`${width} x ${height} is too large to be hashed`);
  const { brightness, yellowBlue, redGreen, alpha, isOpaque } = channelsOf(rgba, width * height);
  const terms = BRIGHTNESS_TERMS[isOpaque ? "opaque" : "alpha"];
  const across = Math.max(1, Math.round((terms * width) / longer));
  const down = Math.max(1, Math.round((terms * height) / longer));
  const transform = (channel: Float64Array, nx: number, ny: number): Terms =>
    cosineTerms(channel, width, height, nx, ny);

  const l = transform(brightness, Math.max(LEAST_TERMS, across), Math.max(LEAST_TERMS, down));
  const p = transform(yellowBlue, LEAST_TERMS, LEAST_TERMS);
  const q = transform(redGreen, LEAST_TERMS, LEAST_TERMS);
  const a = isOpaque ? null : transform(alpha, ALPHA_TERMS, ALPHA_TERMS);

  const isLandscape = width > height;
  const bits = new BitWriter();
  bits.write(Math.round(63 * l.mean), 6);
  bits.write(Math.round(31.5 + 31.5 * p.mean), 6);
  bits.write(Math.round(31.5 + 31.5 * q.mean), 6);
  bits.write(Math.round(31 * l.scale), 5);
  bits.write(a ? 1 : 0, 1);
  bits.write(isLandscape ? down : across, 3);
  bits.write(Math.round(63 * p.scale), 6);
  bits.write(Math.round(63 * q.scale), 6);
  bits.write(isLandscape ? 1 : 0, 1);
  if (a) {
    bits.write(Math.round(15 * a.mean), 4);
    bits.write(Math.round(15 * a.scale), 4);
  }
  for (const { varying } of a ? [l, p, q, a] : [l, p, q]) {
    for (const term of varying) bits.write(Math.round(15 * term), 4);
  }
  return bits.bytes();
}

/**
 * Returns the picture over its own mean colour, split into brightness, yellow against blue, red against green, and
 * alpha.
 */
function channelsOf(rgba: Uint8Array, pixels: number) {
  const mean = [0, 0, 0];
  let visible = 0;
  for (let at = 0; at < pixels * 4; at += 4) {
    const share = (rgba[at + 3] as number) / 255;
    for (let c = 0; c < 3; c++) mean[c] = mean[c]! + (share / 255) * (rgba[at + c] as number);
    visible += share;
  }
  const [red, green, blue] = mean.map((sum) => (visible > 0 ? sum / visible : sum)) as [
    number,
    number,
    number,
  ];

  const channels = {
    brightness: new Float64Array(pixels),
    yellowBlue: new Float64Array(pixels),
    redGreen: new Float64Array(pixels),
    alpha: new Float64Array(pixels),
    isOpaque: visible >= pixels,
  };
  for (let i = 0, at = 0; i < pixels; i++, at += 4) {
    const share = (rgba[at + 3] as number) / 255;
    const r = red * (1 - share) + (share / 255) * (rgba[at] as number);
    const g = green * (1 - share) + (share / 255) * (rgba[at + 1] as number);
    const b = blue * (1 - share) + (share / 255) * (rgba[at + 2] as number);
    channels.brightness[i] = (r + g + b) / 3;
    channels.yellowBlue[i] = (r + g) / 2 - b;
    channels.redGreen[i] = r - g;
    channels.alpha[i] = share;
  }
  return channels;
}

/** Returns the terms of the triangle of low frequencies, `nx` of them in the first row and `ny` in the first column. */
function cosineTerms(channel: Float64Array, width: number, height: number, nx: number, ny: number): Terms {
  const varying: number[] = [];
  let [mean, scale] = [0, 0];
  for (let cy = 0; cy < ny; cy++) {
    const down = cosines(height, cy);
    for (let cx = 0; cx * ny < nx * (ny - cy); cx++) {
      const across = cosines(width, cx);
      let sum = 0;
      for (let y = 0, i = 0; y < height; y++) {
        const factor = down[y] as number;
        // Term by term, as the reference does: of a flat picture only what rounding leaves is varying.
        for (let x = 0; x < width; x++, i++) sum += (channel[i] as number) * (across[x] as number) * factor;
      }
      const term = sum / (width * height);
      if (cx === 0 && cy === 0) mean = term;
      else {
        varying.push(term);
        scale = Math.max(scale, Math.abs(term));
      }
    }
  }
  return { mean, scale, varying: scale > 0 ? varying.map((term) => 0.5 + (0.5 / scale) * term) : varying };
}

const cosines = (length: number, frequency: number): Float64Array =>
  Float64Array.from({ length }, (_, at) => Math.cos((Math.PI / length) * frequency * (at + 0.5)));

/** Lowest bits first, as the format has all its fields. */
class BitWriter {
  readonly #bytes: number[] = [];
  #bit = 0;

  write(value: number, bits: number): void {
    for (let bit = 0; bit < bits; bit++, this.#bit++) {
      if (this.#bit % 8 === 0) this.#bytes.push(0);
      const last = this.#bytes.length - 1;
      this.#bytes[last] = this.#bytes[last]! | (((value >> bit) & 1) << (this.#bit % 8));
    }
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}
