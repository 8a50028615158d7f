/** Frames of animations, from any decoder. */

export interface Frames {
  width: number;
  height: number;
  /** The RGBA of each frame. Colours of fully transparent pixels are 0. */
  frames: Uint8Array[];
  delays: number[];
  plays: number;
}

/** Returns the PSNR of two pictures on white, in dB. */
export function likeness(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 4) {
    for (let c = 0; c < 3; c++) {
      const seen = (rgba: Uint8Array): number => {
        const alpha = (rgba[i + 3] ?? 0) / 255;
        return (rgba[i + c] ?? 0) * alpha + 255 * (1 - alpha);
      };
      sum += (seen(a) - seen(b)) ** 2;
    }
  }
  return sum === 0 ? Infinity : 10 * Math.log10((255 * 255 * a.length * 0.75) / sum);
}
