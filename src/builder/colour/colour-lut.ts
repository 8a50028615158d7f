/** Conversions that have no formula: tables of nodes, with linear interpolation between them. */
import type { Conversion } from "./row-conversion.ts";

/** Converts the device's values, 0 to 1, to sRGB's, which it writes to the first three places. */
type Node = (values: Float64Array) => void;

const RGB_POINTS = 33;
/** Profiles have 9 to 17 points per channel. With four channels, 17 points take 0.5 MB. */
const CMYK_POINTS = 17;

/** A node's value of 1: five bits finer than an 8-bit sample, and small enough for 32-bit products. */
const VALUE_ONE = 255 * 32;
/** A share of 1. */
const SHARE_BITS = 16;
const SHARE_ONE = 1 << SHARE_BITS;
/** Scales a value times a share down to 8 bits. */
const DOWN_BITS = SHARE_BITS + 5;
const HALF = 1 << (DOWN_BITS - 1);

/** For each code of a channel: its cell, and how far through the cell it lies. */
interface Axis {
  cells: Uint8Array;
  shares: Int32Array;
}

function axisOf(points: number): Axis {
  const cells = new Uint8Array(256);
  const shares = new Int32Array(256);
  for (let code = 0; code < 256; code++) {
    const position = (code * (points - 1)) / 255;
    const cell = Math.min(Math.floor(position), points - 2);
    cells[code] = cell;
    shares[code] = Math.round((position - cell) * SHARE_ONE);
  }
  return { cells, shares };
}

/** Returns all nodes. The last channel changes fastest. */
function nodesOf(node: Node, channels: 3 | 4, points: number): Uint16Array {
  const count = points ** channels;
  const nodes = new Uint16Array(count * 3);
  const values = new Float64Array(4);
  for (let i = 0; i < count; i++) {
    for (let channel = channels - 1, rest = i; channel >= 0; channel--) {
      values[channel] = (rest % points) / (points - 1);
      rest = Math.floor(rest / points);
    }
    node(values);
    for (let c = 0; c < 3; c++) nodes[3 * i + c] = Math.round((values[c] as number) * VALUE_ONE);
  }
  return nodes;
}

/**
 * Finds the tetrahedron of three channels within their cell, and sums its four nodes weighted by their shares. All six
 * tetrahedra share the cell's diagonal, which holds every grey: a grey stays without a tint.
 */
class Tetrahedron {
  readonly #nodes: Uint16Array;
  readonly #axis: Axis;
  readonly #strides: readonly [number, number, number];
  #one = 0;
  #two = 0;
  #three = 0;
  #share0 = 0;
  #share1 = 0;
  #share2 = 0;
  #share3 = 0;
  /** Offset of the first node of the cell. */
  corner = 0;

  constructor(nodes: Uint16Array, points: number, axis: Axis) {
    this.#nodes = nodes;
    this.#axis = axis;
    this.#strides = [3 * points * points, 3 * points, 3];
  }

  find(x: number, y: number, z: number): void {
    const { cells, shares } = this.#axis;
    const [sx, sy, sz] = this.#strides;
    this.corner = (cells[x] as number) * sx + (cells[y] as number) * sy + (cells[z] as number) * sz;
    let [high, mid, low] = [shares[x] as number, shares[y] as number, shares[z] as number];
    let [first, second, third] = [sx, sy, sz];
    // Sorts the channels by share, largest first, with three exchanges.
    if (mid > high) [high, mid, first, second] = [mid, high, second, first];
    if (low > mid) [mid, low, second, third] = [low, mid, third, second];
    if (mid > high) [high, mid, first, second] = [mid, high, second, first];
    this.#one = first;
    this.#two = first + second;
    this.#three = first + second + third;
    this.#share0 = SHARE_ONE - high;
    this.#share1 = high - mid;
    this.#share2 = mid - low;
    this.#share3 = low;
  }

  /** Returns one channel of sRGB in the cell at `corner`, in units of VALUE_ONE × SHARE_ONE. */
  sum(corner: number): number {
    const nodes = this.#nodes;
    return (
      (nodes[corner] as number) * this.#share0 +
      (nodes[corner + this.#one] as number) * this.#share1 +
      (nodes[corner + this.#two] as number) * this.#share2 +
      (nodes[corner + this.#three] as number) * this.#share3
    );
  }
}

export function rgbTable(node: Node, channels: 3 | 4): Conversion {
  const nodes = nodesOf(node, 3, RGB_POINTS);
  const tetrahedron = new Tetrahedron(nodes, RGB_POINTS, axisOf(RGB_POINTS));
  const convert = (rows: Uint8Array): number => {
    for (let at = 0; at < rows.length; at += channels) {
      tetrahedron.find(rows[at] as number, rows[at + 1] as number, rows[at + 2] as number);
      for (let c = 0; c < 3; c++)
        rows[at + c] = (tetrahedron.sum(tetrahedron.corner + c) + HALF) >> DOWN_BITS;
    }
    return rows.length;
  };
  return { convert, bytes: nodes.byteLength };
}

/** Converts inks, where 0 is none, to RGB: tetrahedral in magenta, yellow and black, linear along cyan. */
export function cmykTable(node: Node): Conversion {
  const nodes = nodesOf(node, 4, CMYK_POINTS);
  const axis = axisOf(CMYK_POINTS);
  const tetrahedron = new Tetrahedron(nodes, CMYK_POINTS, axis);
  const cyan = 3 * CMYK_POINTS ** 3;
  const convert = (rows: Uint8Array): number => {
    let to = 0;
    for (let at = 0; at < rows.length; at += 4) {
      const share = axis.shares[rows[at] as number] as number;
      const base = (axis.cells[rows[at] as number] as number) * cyan;
      tetrahedron.find(rows[at + 1] as number, rows[at + 2] as number, rows[at + 3] as number);
      for (let c = 0; c < 3; c++) {
        const corner = base + tetrahedron.corner + c;
        const low = tetrahedron.sum(corner) >> SHARE_BITS;
        const high = tetrahedron.sum(corner + cyan) >> SHARE_BITS;
        rows[to++] = ((low * (SHARE_ONE - share) + high * share + HALF) >> DOWN_BITS) & 255;
      }
    }
    return to;
  };
  return { convert, bytes: nodes.byteLength };
}
