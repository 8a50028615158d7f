/** Pictures in rows of one width: each row as high as its pictures together allow, none distorted. */

export interface Tile {
  index: number;
  left: number;
  width: number;
}

export interface Row {
  top: number;
  /** The height of the pictures, without the text below them. */
  height: number;
  tiles: Tile[];
}

export interface Layout {
  rows: Row[];
  height: number;
}

interface Options {
  width: number;
  /** The height that rows come close to. */
  target: number;
  gap: number;
  /** Below the pictures of a row: their names. */
  below: number;
  /** Narrower pictures are shown between margins, so that their names have room. */
  minWidth: number;
}

/** A panorama or a column takes no more than its share of a row. */
const MIN_RATIO = 0.4;
const MAX_RATIO = 3;
/** The last row is not stretched by more than this. */
const MAX_STRETCH = 1.15;

/** @param ratios width by height of each picture */
export function justify(ratios: readonly number[], { width, target, gap, below, minWidth }: Options): Layout {
  const rows: Row[] = [];
  if (width <= 0) return { rows, height: 0 };
  const least = minWidth / target;
  const shares = ratios.map((ratio) => Math.max(least, Math.min(MAX_RATIO, Math.max(MIN_RATIO, ratio))));
  let top = 0;
  let first = 0;
  let sum = 0;
  const close = (end: number, isLast: boolean): void => {
    const free = width - gap * (end - first - 1);
    const natural = free / sum;
    const height = Math.round(isLast ? Math.min(natural, target * MAX_STRETCH) : natural);
    const isFull = height === Math.round(natural);
    let left = 0;
    const tiles: Tile[] = [];
    for (let index = first; index < end; index++) {
      const rest = width - left;
      const tileWidth =
        isFull && index === end - 1 ? rest : Math.min(rest, Math.round((shares[index] ?? 1) * height));
      tiles.push({ index, left, width: tileWidth });
      left += tileWidth + gap;
    }
    rows.push({ top, height, tiles });
    top += height + below + gap;
    first = end;
    sum = 0;
  };
  for (let index = 0; index < shares.length; index++) {
    sum += shares[index] ?? 1;
    const free = width - gap * (index - first);
    if (free / sum <= target) close(index + 1, false);
  }
  if (first < shares.length) close(shares.length, true);
  return { rows, height: Math.max(0, top - gap) };
}

/** Returns the rows between two heights. */
export function rowsBetween({ rows }: Layout, top: number, bottom: number): Row[] {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row && row.top + row.height < top) low = middle + 1;
    else high = middle;
  }
  const shown: Row[] = [];
  for (let at = low; at < rows.length; at++) {
    const row = rows[at];
    if (!row || row.top > bottom) break;
    shown.push(row);
  }
  return shown;
}
