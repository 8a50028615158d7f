/** The differences of two pictures in one row, added up for a channel: three maps, each in two norms. */
import { LANES } from "./lines";
import { firstHalves, highPairs, lowPairs, secondHalves } from "./quantities";

/** Sums of a channel: the differences of structure, added edges and lost edges, and then their fourth powers. */
export const SUMS: i32 = 6;

const C2: f32 = 0.0009;

@inline
function square(x: v128): v128 {
  return f32x4.mul(x, x);
}

/** Adds the four lanes of `values` to a sum (f64). */
@inline
function add(sum: usize, values: v128): void {
  const two = f64x2.add(
    f64x2.promote_low_f32x4(values),
    f64x2.promote_low_f32x4(v128.shuffle<f32>(values, values, 2, 3, 2, 3)),
  );
  store<f64>(sum, load<f64>(sum) + f64x2.extract_lane(two, 0) + f64x2.extract_lane(two, 1));
}

/** Returns a mask of the lanes that are within the line: all, but in the last vector of a line. */
@inline
function lanesWithin(left: i32): v128 {
  return i32x4.gt_s(i32x4.splat(left), i32x4(0, 1, 2, 3));
}

/**
 * Adds a row to the sums.
 * @param first, second the lines of the row before the blur
 * @param blurred the blurred quantities of the channel in the first pixel, and `products` the lane of their products
 * @param step bytes from one pixel of them to the next
 */
export function addDifferences(
  first: usize,
  second: usize,
  width: i32,
  blurred: usize,
  products: usize,
  step: usize,
  sums: usize,
): void {
  const one = f32x4.splat(1);
  const none = f32x4.splat(0);
  let structure = none;
  let added = none;
  let lost = none;
  let structure4 = none;
  let added4 = none;
  let lost4 = none;
  for (let x = 0; x < width; x += LANES) {
    const at = (<usize>x) << 2;
    const within = lanesWithin(width - x);
    const from = blurred + <usize>x * step;
    const p0 = v128.load(from);
    const p1 = v128.load(from + step);
    const p2 = v128.load(from + 2 * step);
    const p3 = v128.load(from + 3 * step);
    const mean1 = firstHalves(lowPairs(p0, p1), lowPairs(p2, p3));
    const mean2 = secondHalves(lowPairs(p0, p1), lowPairs(p2, p3));
    const square1 = firstHalves(highPairs(p0, p1), highPairs(p2, p3));
    const square2 = secondHalves(highPairs(p0, p1), highPairs(p2, p3));
    const lane = products + <usize>x * step;
    const product = f32x4(
      load<f32>(lane),
      load<f32>(lane + step),
      load<f32>(lane + 2 * step),
      load<f32>(lane + 3 * step),
    );
    const shared = f32x4.sub(product, f32x4.mul(mean1, mean2));
    const variance1 = f32x4.sub(square1, square(mean1));
    const variance2 = f32x4.sub(square2, square(mean2));
    const luminance = f32x4.sub(one, square(f32x4.sub(mean1, mean2)));
    const numerator = f32x4.mul(luminance, f32x4.add(f32x4.add(shared, shared), f32x4.splat(C2)));
    const ratio = f32x4.div(numerator, f32x4.add(f32x4.add(variance1, variance2), f32x4.splat(C2)));
    const error = v128.and(within, f32x4.pmax(none, f32x4.sub(one, ratio)));
    structure = f32x4.add(structure, error);
    structure4 = f32x4.add(structure4, square(square(error)));

    const edge1 = f32x4.add(one, f32x4.abs(f32x4.sub(v128.load(first + at), mean1)));
    const edge2 = f32x4.add(one, f32x4.abs(f32x4.sub(v128.load(second + at), mean2)));
    const change = v128.and(within, f32x4.sub(f32x4.div(edge2, edge1), one));
    const more = f32x4.pmax(none, change);
    const less = f32x4.pmax(none, f32x4.neg(change));
    added = f32x4.add(added, more);
    added4 = f32x4.add(added4, square(square(more)));
    lost = f32x4.add(lost, less);
    lost4 = f32x4.add(lost4, square(square(less)));
  }
  add(sums, structure);
  add(sums + 8, added);
  add(sums + 16, lost);
  add(sums + 24, structure4);
  add(sums + 32, added4);
  add(sums + 40, lost4);
}
