/** The seven passes of an interlaced PNG (PNG specification, clause 8.2). */

export interface Pass {
  readonly columns: number;
  readonly rows: number;
  /** Position of its first pixel in the picture. */
  readonly x: number;
  readonly y: number;
  /** Distances between its pixels in the picture. */
  readonly dx: number;
  readonly dy: number;
}

const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The pattern of passes repeats after this many rows of the picture. */
export const PASS_PERIOD_ROWS = 8;

/** Returns the passes that have pixels; small pictures lack some. */
export function passesOf(width: number, height: number): Pass[] {
  return ADAM7.map(([x, y, dx, dy]) => ({
    columns: Math.ceil((width - x) / dx),
    rows: Math.ceil((height - y) / dy),
    x,
    y,
    dx,
    dy,
  })).filter(({ columns, rows }) => columns > 0 && rows > 0);
}
