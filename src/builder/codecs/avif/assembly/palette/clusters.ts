/** Divides the values of a block into clusters with the least squared error. */

/** Blocks with more values than this are not drawn with a palette. */
export const MOST_VALUES: i32 = 64;
export const MOST_COLOURS: i32 = 8;

/** How often each of 256 values occurs (i32), and those that do, in ascending order. */
const counts = memory.data(256 * 4, 16);
const values = memory.data(64);
/** Sums over the first values: of counts, of values, and of squares (f64). */
const weights = memory.data(65 * 8, 16);
const sums = memory.data(65 * 8, 16);
const squares = memory.data(65 * 8, 16);
/** The least error of the first values in 1 to 8 clusters (f64 [8][65]), and where the last one begins (u8). */
const errors = memory.data(8 * 65 * 8, 16);
const starts = memory.data(8 * 65);

/** How many values occur. */
export let valueCount: i32 = 0;

/** Counts values of a block. @returns how many occur, or one more than MOST_VALUES */
export function countValues(from: usize, stride: usize, width: i32, height: i32): i32 {
  memory.fill(counts, 0, 256 * 4);
  valueCount = 0;
  for (let y = 0; y < height; y++, from += stride) {
    for (let x = 0; x < width; x++) {
      const at = counts + ((<usize>load<u8>(from + x)) << 2);
      const count = load<i32>(at);
      store<i32>(at, count + 1);
      if (count == 0 && ++valueCount > MOST_VALUES) return valueCount;
    }
  }
  return valueCount;
}

@inline
function at(table: usize, i: i32): f64 {
  return load<f64>(table + ((<usize>i) << 3));
}

/** Returns the squared error of values `from` up to `end` in one cluster. */
@inline
function errorOf(from: i32, end: i32): f64 {
  const weight = at(weights, end) - at(weights, from);
  const sum = at(sums, end) - at(sums, from);
  return at(squares, end) - at(squares, from) - (sum * sum) / weight;
}

/** Divides the values that were counted into 1 to `most` clusters. */
export function divideValues(most: i32): void {
  let count = 0;
  for (let value = 0; value < 256; value++) {
    const occurrences = load<i32>(counts + ((<usize>value) << 2));
    if (!occurrences) continue;
    const weight = <f64>occurrences;
    store<u8>(values + count, value);
    const next = (<usize>count + 1) << 3;
    store<f64>(weights + next, at(weights, count) + weight);
    store<f64>(sums + next, at(sums, count) + weight * value);
    store<f64>(squares + next, at(squares, count) + weight * value * value);
    count++;
  }
  for (let end = 1; end <= count; end++) {
    store<f64>(errors + ((<usize>end) << 3), errorOf(0, end));
    store<u8>(starts + end, 0);
  }
  for (let n = 1; n < most; n++) {
    for (let end = n + 1; end <= count; end++) {
      let best = Infinity;
      let start = 0;
      // With one more value, the last cluster does not begin earlier.
      const first = end == n + 1 ? n : <i32>load<u8>(starts + n * 65 + end - 1);
      for (let from = end - 1; from >= first; from--) {
        const last = errorOf(from, end);
        if (last >= best) break;
        const error = at(errors, (n - 1) * 65 + from) + last;
        if (error >= best) continue;
        best = error;
        start = from;
      }
      store<f64>(errors + ((<usize>(n * 65 + end)) << 3), best);
      store<u8>(starts + n * 65 + end, start);
    }
  }
}

/** Returns the squared error of `count` clusters. */
@inline
export function clusterError(count: i32): f64 {
  return at(errors, (count - 1) * 65 + valueCount);
}

/**
 * Writes the colours of `count` clusters in ascending order: the value of more than half a cluster, or else its mean.
 * @param indices gets the cluster of each value that occurs, by value
 */
export function colourClusters(colours: usize, indices: usize, count: i32): void {
  let end = valueCount;
  for (let n = count - 1; n >= 0; n--) {
    const start = <i32>load<u8>(starts + n * 65 + end);
    const weight = at(weights, end) - at(weights, start);
    let colour = <i32>nearest((at(sums, end) - at(sums, start)) / weight);
    for (let i = start; i < end; i++) {
      const value = <i32>load<u8>(values + i);
      store<u8>(indices + value, n);
      if (2 * (at(weights, i + 1) - at(weights, i)) > weight) colour = value;
    }
    store<u8>(colours + n, colour);
    end = start;
  }
}
