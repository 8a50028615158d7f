/** Reads path data (SVG 2, chapter 9) as lines of many short pieces, to measure them. */

import { PRICES, type Work } from "../../work/work.ts";

type Point = readonly [x: number, y: number];

const TOKEN = /([a-zA-Z])|([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/gi;
const ARGUMENTS: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, Z: 0 };
const PIECES = 32;
/** Paths with more commands are not measured. */
const COMMANDS_MAX = 5000;

/**
 * Returns the points of each subpath; null for a path with arcs, of which nothing is measured, or with errors.
 * @throws TooMuchWork
 */
export function pathPoints(data: string, work: Work): Point[][] | null {
  work.spend(data.length * PRICES.pathCharacter);
  const runs: Point[][] = [];
  let run: Point[] = [];
  let [x, y] = [0, 0];
  let [startX, startY] = [0, 0];
  /** The last control point of a curve, for S and T. */
  let control: { kind: string; x: number; y: number } | null = null;
  let count = 0;
  for (const { letter, numbers } of commands(data)) {
    const upper = letter.toUpperCase();
    const size = ARGUMENTS[upper];
    if (size === undefined) return null;
    const isRelative = letter !== upper;
    if (upper === "Z") {
      run.push([startX, startY]);
      [x, y] = [startX, startY];
      control = null;
      continue;
    }
    if (numbers.length === 0 || numbers.length % size !== 0) return null;
    for (let at = 0; at < numbers.length; at += size) {
      if (++count > COMMANDS_MAX) return null;
      const [originX, originY] = isRelative ? [x, y] : [0, 0];
      const n = (i: number): number => numbers[at + i]! + (i % 2 === 0 ? originX : originY);
      const last = control;
      control = null;
      if (upper === "M" && at === 0) {
        run = [[n(0), n(1)]];
        runs.push(run);
        [x, y, startX, startY] = [n(0), n(1), n(0), n(1)];
        continue;
      }
      if (run.length === 0) return null;
      const from: Point = [x, y];
      if (upper === "H") x = numbers[at]! + originX;
      else if (upper === "V") y = numbers[at]! + originY;
      else [x, y] = [n(size - 2), n(size - 1)];
      if (upper === "C" || upper === "S") {
        const first: Point =
          upper === "C"
            ? [n(0), n(1)]
            : last?.kind === "C"
              ? [2 * from[0] - last.x, 2 * from[1] - last.y]
              : from;
        const second: Point = upper === "C" ? [n(2), n(3)] : [n(0), n(1)];
        work.spend(PRICES.curve);
        curve(run, [from, first, second, [x, y]]);
        control = { kind: "C", x: second[0], y: second[1] };
      } else if (upper === "Q" || upper === "T") {
        const middle: Point =
          upper === "Q"
            ? [n(0), n(1)]
            : last?.kind === "Q"
              ? [2 * from[0] - last.x, 2 * from[1] - last.y]
              : from;
        work.spend(PRICES.curve);
        curve(run, [from, middle, [x, y]]);
        control = { kind: "Q", x: middle[0], y: middle[1] };
      } else run.push([x, y]);
    }
  }
  return runs;
}

function commands(data: string): { letter: string; numbers: number[] }[] {
  const found: { letter: string; numbers: number[] }[] = [];
  for (const [, letter, number] of data.matchAll(TOKEN)) {
    if (letter !== undefined) found.push({ letter, numbers: [] });
    else found.at(-1)?.numbers.push(Number(number));
  }
  return found;
}

/** Adds points of a Bézier curve, as sums of its control points that are weighted by Bernstein polynomials. */
function curve(run: Point[], controls: readonly Point[]): void {
  const degree = controls.length - 1;
  for (let piece = 1; piece <= PIECES; piece++) {
    const t = piece / PIECES;
    let [x, y] = [0, 0];
    for (let i = 0; i <= degree; i++) {
      const isInner = i > 0 && i < degree;
      const weight = (isInner ? degree : 1) * t ** i * (1 - t) ** (degree - i);
      x += weight * controls[i]![0];
      y += weight * controls[i]![1];
    }
    run.push([x, y]);
  }
}
