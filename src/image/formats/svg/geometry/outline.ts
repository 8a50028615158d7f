/** The outline of a shape: how many lines a renderer makes of it, how far they reach, and where it is. */
import { endOfNumber } from "./numbers.ts";

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Outline {
  /** Lines, into which curves are taken apart. */
  edges: number;
  /** The extent of all lines in both directions, and their length. A curve has those of its control points. */
  across: number;
  down: number;
  length: number;
  box: Box;
}

/** A renderer takes a curve apart into up to 32 lines; most have a few. */
export const EDGES_PER_CURVE = 8;

/** Adds up an outline, point by point. */
export class OutlineMeter {
  readonly outline: Outline = {
    edges: 0,
    across: 0,
    down: 0,
    length: 0,
    box: { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity },
  };
  #x = 0;
  #y = 0;

  moveTo(x: number, y: number): void {
    this.#x = x;
    this.#y = y;
    const { box } = this.outline;
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }

  /** @param edges lines on the way to this point */
  lineTo(x: number, y: number, edges = 1): void {
    const { outline } = this;
    const [across, down] = [Math.abs(x - this.#x), Math.abs(y - this.#y)];
    outline.edges += edges;
    outline.across += across;
    outline.down += down;
    outline.length += Math.hypot(across, down);
    this.moveTo(x, y);
  }

  /** Adds an ellipse, of which each side is as long as the box is high or wide. */
  ellipse(x: number, y: number, rx: number, ry: number): void {
    this.moveTo(x - rx, y);
    const quarter = EDGES_PER_CURVE;
    this.lineTo(x, y - ry, quarter);
    this.lineTo(x + rx, y, quarter);
    this.lineTo(x, y + ry, quarter);
    this.lineTo(x - rx, y, quarter);
  }

  get at(): [x: number, y: number] {
    return [this.#x, this.#y];
  }
}

/** Reads the points of a polyline. */
export function outlineOfPoints(points: string): Outline {
  const meter = new OutlineMeter();
  let first: [x: number, y: number] | null = null;
  let x: number | null = null;
  for (let at = 0; at < points.length;) {
    const end = endOfNumber(points, at);
    if (end === at) {
      at += 1;
      continue;
    }
    const number = Number(points.slice(at, end));
    at = end;
    if (x === null) {
      x = number;
      continue;
    }
    if (first) meter.lineTo(x, number);
    else {
      first = [x, number];
      meter.moveTo(x, number);
    }
    x = null;
  }
  if (first) meter.lineTo(...first);
  return meter.outline;
}

/** The numbers that a command takes, by the code of its small letter; NaN for what is no command. */
const NUMBERS_OF = new Float64Array(128).fill(NaN);
for (const [letter, count] of Object.entries({ m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 }))
  NUMBERS_OF[letter.charCodeAt(0)] = count;
/** The bit by which a small letter differs from its capital. */
const SMALL = 0x20;
const [ZERO, ONE] = ["0".charCodeAt(0), "1".charCodeAt(0)];
/** Returns whether a flag of an arc is next: a single digit, which may stand beside another one: `a1 1 0 01 5 5`. */
const isFlag = (command: string, at: number): boolean => command === "a" && (at === 3 || at === 4);

/** Reads path data. A number where a command must stand ends it, as in a browser. */
export function outlineOfPath(data: string): Outline {
  const meter = new OutlineMeter();
  let [command, isRelative, wanted] = ["", false, 0];
  let [startX, startY] = [0, 0];
  const numbers = new Float64Array(7);
  let count = 0;
  for (let at = 0; at < data.length;) {
    const code = data.charCodeAt(at);
    const small = code | SMALL;
    let end = at + 1;
    if (isFlag(command, count)) {
      if (code === ZERO || code === ONE) numbers[count++] = code - ZERO;
    } else if (code >= SMALL && small < NUMBERS_OF.length && NUMBERS_OF[small]! >= 0) {
      [command, isRelative, wanted, count] = [
        String.fromCharCode(small),
        code === small,
        NUMBERS_OF[small]!,
        0,
      ];
      if (command === "z") meter.lineTo(startX, startY);
    } else {
      end = endOfNumber(data, at);
      if (end === at) end += 1;
      else if (wanted === 0) break;
      else numbers[count++] = Number(data.slice(at, end));
    }
    at = end;
    if (count === 0 || count < wanted) continue;
    draw(meter, command, numbers.subarray(0, count), isRelative);
    if (command === "m") {
      [startX, startY] = meter.at;
      command = "l";
    }
    count = 0;
  }
  return meter.outline;
}

function draw(meter: OutlineMeter, command: string, numbers: Float64Array, isRelative: boolean): void {
  const [x0, y0] = meter.at;
  const ox = isRelative ? x0 : 0;
  const oy = isRelative ? y0 : 0;
  switch (command) {
    case "m": {
      meter.moveTo(ox + numbers[0]!, oy + numbers[1]!);
      return;
    }
    case "h": {
      meter.lineTo(ox + numbers[0]!, y0);
      return;
    }
    case "v": {
      meter.lineTo(x0, oy + numbers[0]!);
      return;
    }
    case "a": {
      // Its radii are enlarged until they reach its end.
      const [x, y] = [ox + numbers[5]!, oy + numbers[6]!];
      const reach =
        2 * Math.max(Math.abs(numbers[0]!), Math.abs(numbers[1]!), Math.hypot(x - x0, y - y0) / 2);
      meter.lineTo(x0 + reach, y0 + reach, EDGES_PER_CURVE);
      meter.lineTo(x - reach, y - reach, EDGES_PER_CURVE);
      meter.lineTo(x, y, EDGES_PER_CURVE);
      return;
    }
    default: {
      const points = numbers.length / 2;
      const edges = points === 1 && command === "l" ? 1 : EDGES_PER_CURVE / points;
      for (let i = 0; i < numbers.length; i += 2) meter.lineTo(ox + numbers[i]!, oy + numbers[i + 1]!, edges);
    }
  }
}
