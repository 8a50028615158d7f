/** Measures how similar two pictures are: SSIM of luma, and PSNR of all samples. */

export interface Bitmap {
  width: number;
  height: number;
  channels: number;
  data: Uint8Array;
}

const WINDOW = 8;
const STEP = 4;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

function luma({ width, height, channels, data }: Bitmap): Float32Array {
  const out = new Float32Array(width * height);
  for (let i = 0, at = 0; i < out.length; i++, at += channels) {
    const red = data[at] as number;
    out[i] =
      channels < 3 ? red : 0.299 * red + 0.587 * (data[at + 1] as number) + 0.114 * (data[at + 2] as number);
  }
  return out;
}

function assertAlike(a: Bitmap, b: Bitmap): void {
  const shape = ({ width, height, channels }: Bitmap): string => `${width} x ${height} x ${channels}`;
  if (shape(a) !== shape(b)) throw new Error(`${shape(a)} cannot be compared with ${shape(b)}`);
}

/** Returns the mean SSIM (Wang 2004, uniform windows of 8 x 8 every 4 pixels) of the lumas: 1 for equal pictures. */
export function ssim(a: Bitmap, b: Bitmap): number {
  assertAlike(a, b);
  const [x, y] = [luma(a), luma(b)];
  const { width, height } = a;
  const [across, down] = [Math.min(WINDOW, width), Math.min(WINDOW, height)];
  const samples = across * down;
  let total = 0;
  let windows = 0;
  for (let top = 0; top + down <= height; top += STEP) {
    for (let left = 0; left + across <= width; left += STEP) {
      let [sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0];
      for (let row = top; row < top + down; row++) {
        for (let i = row * width + left; i < row * width + left + across; i++) {
          const [p, q] = [x[i] as number, y[i] as number];
          sx += p;
          sy += q;
          sxx += p * p;
          syy += q * q;
          sxy += p * q;
        }
      }
      const [mx, my] = [sx / samples, sy / samples];
      const [vx, vy] = [sxx / samples - mx * mx, syy / samples - my * my];
      const covariance = sxy / samples - mx * my;
      total += ((2 * mx * my + C1) * (2 * covariance + C2)) / ((mx * mx + my * my + C1) * (vx + vy + C2));
      windows++;
    }
  }
  return total / windows;
}

/** Returns the peak signal-to-noise ratio over all samples, in dB; Infinity for equal pictures. */
export function psnr(a: Bitmap, b: Bitmap): number {
  assertAlike(a, b);
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += ((a.data[i] as number) - (b.data[i] as number)) ** 2;
  return sum === 0 ? Infinity : 10 * Math.log10((255 * 255 * a.data.length) / sum);
}
