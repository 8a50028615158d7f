/** The levels of AV1, which say what a decoder must be able to hold. */

/** Levels (annex A.3): level, most samples per picture, largest width and height. */
const LEVELS: readonly [level: number, samples: number, width: number, height: number][] = [
  [0, 147_456, 2048, 1152],
  [1, 278_784, 2816, 1584],
  [4, 665_856, 4352, 2448],
  [5, 1_065_024, 5504, 3096],
  [8, 2_359_296, 6144, 3456],
  [12, 8_912_896, 8192, 4352],
  [16, 35_651_584, 16_384, 8704],
];
/** The level "maximum parameters", for pictures beyond all others. */
const NO_LEVEL = 31;

/** Returns the lowest level that allows a picture of this size. */
export const levelOf = (width: number, height: number): number =>
  LEVELS.find(([, samples, w, h]) => width * height <= samples && width <= w && height <= h)?.[0] ?? NO_LEVEL;
