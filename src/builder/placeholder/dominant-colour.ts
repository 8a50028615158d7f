/** The colour that most of a picture has. */

/** Sixteen levels a channel, 4096 bins: as sharp and libvips count. */
const BIN_BITS = 4;
const DROPPED_BITS = 8 - BIN_BITS;
const BINS = 1 << (3 * BIN_BITS);
/** A picture of which nothing is seen shows what is behind it: most pages are white. */
const UNSEEN = "#ffffff";

/**
 * Returns the mean colour of the fullest bin of a coarse histogram, as `#rrggbb`; of several as full, the darkest. A
 * pixel counts by its alpha. The mean, and not the middle of the bin, so that a picture of one colour gives that
 * colour.
 * @param rgba four bytes per pixel, not multiplied by alpha
 */
export function dominantColour(rgba: Uint8Array): string {
  const weights = new Float64Array(BINS);
  for (let at = 0; at < rgba.length; at += 4) {
    const bin = binOf(rgba, at);
    weights[bin] = (weights[bin] as number) + (rgba[at + 3] as number);
  }
  const fullest = weights.indexOf(Math.max(...weights));
  const weight = weights[fullest] as number;
  if (weight === 0) return UNSEEN;
  const sums = [0, 0, 0];
  for (let at = 0; at < rgba.length; at += 4) {
    if (binOf(rgba, at) !== fullest) continue;
    for (let c = 0; c < 3; c++) sums[c] = sums[c]! + (rgba[at + c] as number) * (rgba[at + 3] as number);
  }
  return `#${sums.map((sum) => hex(Math.round(sum / weight))).join("")}`;
}

const binOf = (rgba: Uint8Array, at: number): number =>
  (((rgba[at] as number) >> DROPPED_BITS) << (2 * BIN_BITS)) |
  (((rgba[at + 1] as number) >> DROPPED_BITS) << BIN_BITS) |
  ((rgba[at + 2] as number) >> DROPPED_BITS);

const hex = (value: number): string => value.toString(16).padStart(2, "0");
