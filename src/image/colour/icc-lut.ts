/** Multi-dimensional tables of ICC profiles: lut8Type, lut16Type and lutAToBType (ICC.1:2022, 10.10 to 10.12). */
import { clip, type Curve, fixed, ProfileError, readCurve, sampled, signature } from "./icc-curves.ts";

/**
 * Converts values of a device, 0 to 1, to those of the connection space, 0 to 1 as encoded, in the first three places.
 * It works in place, because tens of thousands of nodes pass through.
 */
export type Pipeline = (values: Float64Array) => void;

/** How a table encodes the connection space: lut16Type has an encoding of Lab of its own (clause 10.10). */
export type Encoding = "legacy" | "current";

const OUTPUTS = 3;

/**
 * Reads the table at `at` for a device of `inputs` channels.
 * @throws ProfileError or RangeError when it is incomplete, or has another number of channels
 */
export function readLut(
  view: DataView,
  at: number,
  inputs: number,
): { pipeline: Pipeline; encoding: Encoding } {
  const type = signature(view, at);
  if (view.getUint8(at + 8) !== inputs || view.getUint8(at + 9) !== OUTPUTS) {
    throw new ProfileError("a table of another number of channels");
  }
  if (type === "mft1") return { pipeline: readFlat(view, at, inputs, 1), encoding: "current" };
  if (type === "mft2") return { pipeline: readFlat(view, at, inputs, 2), encoding: "legacy" };
  if (type === "mAB ") return { pipeline: readAToB(view, at, inputs), encoding: "current" };
  throw new ProfileError(`a table of type ${type}`);
}

/** Reads lut8Type and lut16Type: curves, grid, curves. Their matrix applies to XYZ devices only. */
function readFlat(view: DataView, at: number, inputs: number, bytes: 1 | 2): Pipeline {
  const points = view.getUint8(at + 10);
  const entriesIn = bytes === 1 ? 256 : view.getUint16(at + 48);
  const entriesOut = bytes === 1 ? 256 : view.getUint16(at + 50);
  const start = at + (bytes === 1 ? 48 : 52);
  const grid = Array.from({ length: inputs }, () => points);
  const clutAt = start + inputs * entriesIn * bytes;
  const clutBytes = points ** inputs * OUTPUTS * bytes;
  const before = curvesOf(inputs, (i) => sampled(view, start + i * entriesIn * bytes, entriesIn, bytes));
  const clut = readGrid(view, clutAt, grid, bytes);
  const after = curvesOf(OUTPUTS, (i) =>
    sampled(view, clutAt + clutBytes + i * entriesOut * bytes, entriesOut, bytes),
  );
  return (values) => {
    through(before, values);
    clut(values);
    through(after, values);
  };
}

/** Reads lutAToBType: A curves, grid, M curves, matrix, B curves. All but the last may be absent. */
function readAToB(view: DataView, at: number, inputs: number): Pipeline {
  const part = (field: number): number | null => {
    const offset = view.getUint32(at + field);
    return offset === 0 ? null : at + offset;
  };
  const [bAt, matrixAt, mAt, clutAt, aAt] = [part(12), part(16), part(20), part(24), part(28)];
  if (bAt === null || (clutAt === null && inputs !== OUTPUTS)) throw new ProfileError("a table lacks a part");
  const before = aAt === null ? null : readCurves(view, aAt, inputs);
  const clut = clutAt === null ? null : readStatedGrid(view, clutAt, inputs);
  const middle = mAt === null ? null : readCurves(view, mAt, OUTPUTS);
  const matrix =
    matrixAt === null ? null : Array.from({ length: 12 }, (_, i) => fixed(view, matrixAt + 4 * i));
  const after = readCurves(view, bAt, OUTPUTS);
  return (values) => {
    if (before) through(before, values);
    if (clut) clut(values);
    if (middle) through(middle, values);
    if (matrix) throughMatrix(matrix, values);
    through(after, values);
  };
}

function readStatedGrid(view: DataView, at: number, inputs: number): Pipeline {
  const grid = Array.from({ length: inputs }, (_, i) => view.getUint8(at + i));
  const bytes = view.getUint8(at + 16);
  if (bytes !== 1 && bytes !== 2) throw new ProfileError(`a grid of ${bytes} bytes per value`);
  return readGrid(view, at + 20, grid, bytes);
}

/** Reads consecutive curves, each of which begins at a multiple of four bytes. */
function readCurves(view: DataView, start: number, count: number): Curve[] {
  let at = start;
  return curvesOf(count, () => {
    const { curve, length } = readCurve(view, at);
    at += Math.ceil(length / 4) * 4;
    return curve;
  });
}

const curvesOf = (count: number, make: (index: number) => Curve): Curve[] =>
  Array.from({ length: count }, (_, index) => make(index));

function through(curves: readonly Curve[], values: Float64Array): void {
  for (let i = 0; i < curves.length; i++) values[i] = (curves[i] as Curve)(values[i] as number);
}

function throughMatrix(m: readonly number[], values: Float64Array): void {
  const [x, y, z] = values as unknown as [number, number, number];
  for (let i = 0; i < OUTPUTS; i++) {
    const [mx, my, mz] = m.slice(3 * i, 3 * i + 3) as [number, number, number];
    values[i] = mx * x + my * y + mz * z + (m[9 + i] as number);
  }
}

/**
 * Returns a grid of values, in which the last channel changes fastest. Interpolation is tetrahedral in the last three
 * channels, which keeps greys grey, and linear in the one before.
 */
export function readGrid(view: DataView, at: number, grid: readonly number[], bytes: 1 | 2): Pipeline {
  if (grid.some((points) => points < 2)) throw new ProfileError("a grid of fewer than two points");
  const strides = grid.map(
    (_, i) => OUTPUTS * grid.slice(i + 1).reduce((product, points) => product * points, 1),
  );
  const most = bytes === 1 ? 255 : 65_535;
  const value = (i: number): number =>
    (bytes === 1 ? view.getUint8(at + i) : view.getUint16(at + 2 * i)) / most;
  value((strides[0] as number) * (grid[0] as number) - 1);

  const first = grid.length - 3;
  const shares = new Float64Array(grid.length);
  const sum = new Float64Array(OUTPUTS);
  /** Adds the tetrahedron around the last three shares, in the cell at `corner`. */
  const tetrahedron = (corner: number, weight: number): void => {
    let above = 1;
    let chosen = 0;
    for (let step = 0; step <= 3; step++) {
      // The channels by share, largest first: each step goes along the next one.
      let next = -1;
      for (let i = first; i < first + 3 && step < 3; i++) {
        if (!(chosen & (1 << i)) && (next < 0 || (shares[i] as number) > (shares[next] as number))) next = i;
      }
      const share = next < 0 ? 0 : (shares[next] as number);
      if (above > share) {
        for (let i = 0; i < OUTPUTS; i++) {
          sum[i] = (sum[i] as number) + value(corner + i) * (above - share) * weight;
        }
      }
      above = share;
      if (next < 0) return;
      chosen |= 1 << next;
      corner += strides[next] as number;
    }
  };
  return (values) => {
    let corner = 0;
    for (let i = 0; i < grid.length; i++) {
      const points = grid[i] as number;
      const position = clip(values[i] as number) * (points - 1);
      const index = Math.min(Math.floor(position), points - 2);
      shares[i] = position - index;
      corner += index * (strides[i] as number);
    }
    const along = first === 0 ? 0 : (shares[0] as number);
    sum.fill(0);
    tetrahedron(corner, 1 - along);
    if (along > 0) tetrahedron(corner + (strides[0] as number), along);
    values.set(sum);
  };
}
