/** The outline of a shape: how many lines a renderer makes of it, how far they reach, and where it is. */
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
    [this.#x, this.#y] = [x, y];
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

  /** An ellipse, of which each side is as long as the box is high or wide. */
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
  const numbers = points.match(/[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/gi) ?? [];
  let first: [number, number] | null = null;
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const [x, y] = [Number(numbers[i]), Number(numbers[i + 1])];
    if (first) meter.lineTo(x, y);
    else meter.moveTo(...(first = [x, y]));
  }
  if (first) meter.lineTo(...first);
  return meter.outline;
}

const NUMBERS_OF: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };
const TOKEN = /[mlhvcsqtaz]|[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/gi;
/** The flags of an arc are single digits, which may stand together: `a1 1 0 01 5 5`. */
const FLAG = /[01]/g;
const isFlag = (command: string, at: number): boolean => command === "a" && (at === 3 || at === 4);

/** Reads path data. What is invalid ends it, as in a browser. */
export function outlineOfPath(data: string): Outline {
  const meter = new OutlineMeter();
  let [command, isRelative] = ["", false];
  let start: [number, number] = [0, 0];
  let numbers: number[] = [];
  let at = 0;
  for (;;) {
    const pattern = isFlag(command, numbers.length) ? FLAG : TOKEN;
    pattern.lastIndex = at;
    const token = pattern.exec(data)?.[0];
    if (token === undefined) break;
    at = pattern.lastIndex;
    const lower = token.toLowerCase();
    if (lower in NUMBERS_OF) {
      [command, isRelative, numbers] = [lower, token === lower, []];
      if (command === "z") meter.lineTo(...start);
      continue;
    }
    if (command === "" || command === "z") break;
    numbers.push(Number(token));
    if (numbers.length < NUMBERS_OF[command]!) continue;
    draw(meter, command, numbers, isRelative);
    if (command === "m") {
      start = meter.at;
      command = "l";
    }
    numbers = [];
  }
  return meter.outline;
}

function draw(meter: OutlineMeter, command: string, numbers: readonly number[], isRelative: boolean): void {
  const [x0, y0] = meter.at;
  const [ox, oy] = isRelative ? [x0, y0] : [0, 0];
  const point = (i: number): [number, number] => [ox + numbers[i]!, oy + numbers[i + 1]!];
  switch (command) {
    case "m": {
      meter.moveTo(...point(0));
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
      const [x, y] = point(5);
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
      for (let i = 0; i < numbers.length; i += 2) meter.lineTo(...point(i), edges);
    }
  }
}
