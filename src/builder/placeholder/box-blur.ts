/** A plane of numbers, row by row. */
export interface Plane {
  width: number;
  height: number;
  values: Float64Array;
}

/**
 * Replaces each value by the mean of the square around it, `2 * radius + 1` wide, as far as that is inside the plane.
 */
export function boxBlur({ width, height, values }: Plane, radius: number): Plane {
  const across = new Float64Array(values.length);
  for (let y = 0; y < height; y++)
    blurLine(values, across, { start: y * width, step: 1, length: width }, radius);
  const both = new Float64Array(values.length);
  for (let x = 0; x < width; x++) blurLine(across, both, { start: x, step: width, length: height }, radius);
  return { width, height, values: both };
}

interface Line {
  start: number;
  step: number;
  length: number;
}

function blurLine(from: Float64Array, to: Float64Array, { start, step, length }: Line, radius: number): void {
  let [sum, count] = [0, 0];
  for (let at = -radius; at < length; at++) {
    const entering = at + radius;
    const leaving = at - radius - 1;
    if (entering < length) {
      sum += from[start + entering * step] as number;
      count++;
    }
    if (leaving >= 0) {
      sum -= from[start + leaving * step] as number;
      count--;
    }
    if (at >= 0) to[start + at * step] = sum / count;
  }
}
