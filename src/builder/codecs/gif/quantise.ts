/**
 * Reduces the number of colours by Wu's method. The colour space is divided into boxes. A box is cut at the plane
 * that lowers the variance of the colours most, until there are enough boxes. The mean of each box becomes a colour
 * (X. Wu, "Efficient Statistical Computations for Optimal Color Quantization", Graphics Gems II, 1991).
 */

/** Cells per axis: five bits per channel, and a plane of zeros before each axis, so that sums need no edge cases. */
const SIDE = 33;
const CELLS = SIDE * SIDE * SIDE;
const RED = SIDE * SIDE;
const GREEN = SIDE;
const BLUE = 1;

/** A box of cells, (from, to] on each axis. */
interface Box {
  from: [number, number, number];
  to: [number, number, number];
}
/** A single colour may lose at most this multiple of the mean loss. */
const FAR_OFF = 8;
const AXES = [0, 1, 2] as const;
type Axis = (typeof AXES)[number];

export class Quantiser {
  readonly #count = new Float64Array(CELLS);
  readonly #red = new Float64Array(CELLS);
  readonly #green = new Float64Array(CELLS);
  readonly #blue = new Float64Array(CELLS);
  readonly #squares = new Float64Array(CELLS);

  start(): void {
    for (const sums of this.#all) sums.fill(0);
  }

  /** Counts a pixel, whose lowest byte is red. */
  add(pixel: number): void {
    const [r, g, b] = [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255];
    const cell = ((r >> 3) + 1) * RED + ((g >> 3) + 1) * GREEN + (b >> 3) + 1;
    (this.#count[cell] as number) += 1;
    (this.#red[cell] as number) += r;
    (this.#green[cell] as number) += g;
    (this.#blue[cell] as number) += b;
    (this.#squares[cell] as number) += r * r + g * g + b * b;
  }

  /**
   * Returns the colours, as opaque pixels, for the pixels counted since `start`.
   * @param most most colours
   * @param meanLoss mean squared distance over all pixels that fewer colours may cost; a single colour may lose more
   */
  colours(most: number, meanLoss: number): readonly number[] {
    for (const sums of this.#all) accumulate(sums);
    const boxes: Box[] = [{ from: [0, 0, 0], to: [SIDE - 1, SIDE - 1, SIDE - 1] }];
    const variances = [this.#variance(boxes[0] as Box)];
    const counts = [volume(this.#count, boxes[0] as Box)];
    const mostLoss = meanLoss * (counts[0] as number);
    let left = variances[0] as number;
    while (boxes.length < most) {
      // Few pixels may be what matters in the picture, so no colour may be far off, however rare it is.
      const at =
        left > mostLoss
          ? variances.indexOf(Math.max(...variances))
          : variances.findIndex((variance, i) => variance > FAR_OFF * meanLoss * (counts[i] as number));
      if (at < 0 || !((variances[at] as number) > 0)) break;
      const parts = this.#cut(boxes[at] as Box);
      left -= variances[at] as number;
      variances[at] = 0;
      if (!parts) continue;
      [at, boxes.length].forEach((place, i) => {
        const part = parts[i] as Box;
        boxes[place] = part;
        counts[place] = volume(this.#count, part);
        left += variances[place] = this.#variance(part);
      });
    }
    return boxes.map((box) => this.#mean(box));
  }

  get #all(): Float64Array[] {
    return [this.#count, this.#red, this.#green, this.#blue, this.#squares];
  }

  #mean(box: Box): number {
    const count = volume(this.#count, box) || 1;
    const channel = (sums: Float64Array): number => Math.round(volume(sums, box) / count);
    const rgb = (channel(this.#blue) << 16) | (channel(this.#green) << 8) | channel(this.#red);
    return (0xff00_0000 | rgb) >>> 0;
  }

  /** Returns the sum of squared distances to the mean; 0 for a box of one cell, which cannot be cut. */
  #variance(box: Box): number {
    if (AXES.every((axis) => box.to[axis] - box.from[axis] === 1)) return 0;
    const count = volume(this.#count, box);
    return count === 0 ? 0 : volume(this.#squares, box) - this.#weight(box, count);
  }

  /** Returns |sum of colours|² / count. The greater its sum over both parts, the less variance is left. */
  #weight(box: Box, count: number): number {
    const [r, g, b] = [volume(this.#red, box), volume(this.#green, box), volume(this.#blue, box)];
    return (r * r + g * g + b * b) / count;
  }

  #cut(box: Box): [Box, Box] | null {
    let best = 0;
    let parts: [Box, Box] | null = null;
    for (const axis of AXES) {
      for (let at = box.from[axis] + 1; at < box.to[axis]; at++) {
        const lower = { from: box.from, to: replaced(box.to, axis, at) };
        const upper = { from: replaced(box.from, axis, at), to: box.to };
        const below = volume(this.#count, lower);
        const above = volume(this.#count, upper);
        if (below === 0 || above === 0) continue;
        const weight = this.#weight(lower, below) + this.#weight(upper, above);
        if (weight > best) {
          best = weight;
          parts = [lower, upper];
        }
      }
    }
    return parts;
  }
}

function replaced(corner: Box["to"], axis: Axis, value: number): Box["to"] {
  const copy: Box["to"] = [...corner];
  copy[axis] = value;
  return copy;
}

/** Turns a histogram into cumulative sums, from the origin to each cell. */
function accumulate(sums: Float64Array): void {
  for (const step of [RED, GREEN, BLUE]) {
    for (let cell = step; cell < CELLS; cell++) {
      // The planes before the first cells are and stay zero. A step over an edge reaches one of them.
      if (((cell / step) | 0) % SIDE !== 0) (sums[cell] as number) += sums[cell - step] as number;
    }
  }
}

/** Returns the sum within a box, from the cumulative sums at its eight corners. */
function volume(sums: Float64Array, { from, to }: Box): number {
  const at = (r: number, g: number, b: number): number => sums[r * RED + g * GREEN + b] as number;
  const [r0, g0, b0] = from;
  const [r1, g1, b1] = to;
  return (
    at(r1, g1, b1) -
    at(r1, g1, b0) -
    at(r1, g0, b1) +
    at(r1, g0, b0) -
    at(r0, g1, b1) +
    at(r0, g1, b0) +
    at(r0, g0, b1) -
    at(r0, g0, b0)
  );
}
