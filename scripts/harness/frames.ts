/** Frames of animations, whoever decoded them. */

export interface Frames {
  width: number;
  height: number;
  /** RGBA of each, where nothing is seen of a colour it is 0. */
  frames: Uint8Array[];
  delays: number[];
  plays: number;
}

/** Decibels between two pictures, seen on white. */
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
