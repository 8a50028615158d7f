/**
 * A ThumbHash as pixels (https://evanw.github.io/thumbhash). A wall shows dozens of them at once, so each wave is
 * computed per row and per column instead of per pixel, and the picture is no larger than its waves need.
 */

export interface Pixels {
  width: number;
  height: number;
  /** Four bytes per pixel; alpha is not multiplied in. */
  rgba: Uint8Array;
}

/** The longer side in pixels: more than twice the highest frequency, which is 6 half-waves. */
const SIDE_PIXELS = 16;

/** Terms in the order of the file: `factors` has one per wave, `nx` and `ny` bound the waves across and down. */
interface Channel {
  nx: number;
  ny: number;
  mean: number;
  factors: number[];
}

/** By length of a side: `waves[c * length + x]`, for each wave and each pixel. */
const known = new Map<number, Float32Array>();
const WAVES = 7;

function wavesOf(length: number): Float32Array {
  const made = known.get(length);
  if (made) return made;
  const waves = Float32Array.from({ length: WAVES * length }, (_, at) =>
    Math.cos((Math.PI / length) * ((at % length) + 0.5) * Math.floor(at / length)),
  );
  known.set(length, waves);
  return waves;
}

/** Adds the waves up: for each wave down the picture first those across it, then what they come to in each row. */
function render({ nx, ny, mean, factors }: Channel, width: number, height: number): Float32Array {
  const [across, down] = [wavesOf(width), wavesOf(height)];
  const values = new Float32Array(width * height).fill(mean);
  let at = 0;
  for (let cy = 0; cy < ny; cy++) {
    const row = new Float32Array(width);
    for (let cx = cy === 0 ? 1 : 0; cx * ny < nx * (ny - cy); cx++) {
      const factor = 2 * factors[at++]!;
      for (let x = 0; x < width; x++) row[x]! += factor * across[cx * width + x]!;
    }
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) values[y * width + x]! += down[cy * height + y]! * row[x]!;
  }
  return values;
}

/** Returns a reader of fields of some bits each, lowest bits first. */
function bitsOf(hash: Uint8Array): (count: number) => number {
  let at = 0;
  return (count) => {
    let value = 0;
    for (let bit = 0; bit < count; bit++, at++) value |= (((hash[at >> 3] ?? 0) >> (at & 7)) & 1) << bit;
    return value;
  };
}

export function pixelsOf(hash: Uint8Array): Pixels {
  const bits = bitsOf(hash);
  const means = [bits(6) / 63, bits(6) / 31.5 - 1, bits(6) / 31.5 - 1] as const;
  const lScale = bits(5) / 31;
  const hasAlpha = bits(1) === 1;
  const shorter = bits(3);
  const [pScale, qScale] = [bits(6) / 63, bits(6) / 63];
  const isLandscape = bits(1) === 1;
  const longer = hasAlpha ? 5 : 7;
  const [aMean, aScale] = hasAlpha ? [bits(4) / 15, bits(4) / 15] : [1, 0];
  const [lx, ly] = isLandscape ? [longer, shorter] : [shorter, longer];

  const channel = (nx: number, ny: number, mean: number, scale: number): Channel => {
    const factors: number[] = [];
    for (let cy = 0; cy < ny; cy++)
      for (let cx = cy === 0 ? 1 : 0; cx * ny < nx * (ny - cy); cx++)
        factors.push((bits(4) / 7.5 - 1) * scale);
    return { nx, ny, mean, factors };
  };
  // In the order of the file.
  const channels = [
    channel(Math.max(3, lx), Math.max(3, ly), means[0], lScale),
    channel(3, 3, means[1], 1.25 * pScale),
    channel(3, 3, means[2], 1.25 * qScale),
    ...(hasAlpha ? [channel(5, 5, aMean, aScale)] : []),
  ];

  const ratio = lx / ly;
  const width = Math.max(1, Math.round(ratio > 1 ? SIDE_PIXELS : SIDE_PIXELS * ratio));
  const height = Math.max(1, Math.round(ratio > 1 ? SIDE_PIXELS / ratio : SIDE_PIXELS));
  const [l, p, q, a] = channels.map((one) => render(one, width, height));
  // The array clamps and rounds.
  const rgba = new Uint8ClampedArray(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const red = q![i]!;
    const b = l![i]! - (2 / 3) * p![i]!;
    const r = (3 * l![i]! - b + red) / 2;
    rgba[4 * i] = 255 * r;
    rgba[4 * i + 1] = 255 * (r - red);
    rgba[4 * i + 2] = 255 * b;
    rgba[4 * i + 3] = 255 * (a ? a[i]! : 1);
  }
  return { width, height, rgba: new Uint8Array(rgba.buffer) };
}
