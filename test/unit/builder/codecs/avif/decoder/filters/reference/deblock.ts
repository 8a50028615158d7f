/** The sample filtering process of the AV1 specification (section 7.14.6), word by word, along a line of samples. */

const clip3 = (low: number, high: number, value: number): number => Math.min(high, Math.max(low, value));
const round2 = (value: number, bits: number): number =>
  bits === 0 ? value : (value + (1 << (bits - 1))) >> bits;

export interface EdgeFilter {
  plane: number;
  filterSize: number;
  level: number;
  sharpness: number;
  bitDepth: number;
}

/** Filters `line` across the edge before `at`. */
export function deblockLine(line: number[], at: number, filter: EdgeFilter): void {
  const { plane, filterSize, level: lvl, sharpness, bitDepth } = filter;
  if (lvl === 0) return;
  const shift = sharpness > 4 ? 2 : sharpness > 0 ? 1 : 0;
  const limit = sharpness > 0 ? clip3(1, 9 - sharpness, lvl >> shift) : Math.max(1, lvl >> shift);
  const blimit = 2 * (lvl + 2) + limit;
  const thresh = lvl >> 4;
  const s = (i: number): number => line[at + i]!;
  const far = (a: number, b: number, most: number): boolean => Math.abs(s(a) - s(b)) > most;
  const scale = bitDepth - 8;
  const [limitBd, blimitBd, threshBd, one] = [limit << scale, blimit << scale, thresh << scale, 1 << scale];
  const hev = far(-2, -1, threshBd) || far(1, 0, threshBd);
  const filterLen = filterSize === 4 ? 4 : plane !== 0 ? 6 : filterSize === 8 ? 8 : 16;
  let mask = far(-2, -1, limitBd) || far(1, 0, limitBd);
  mask ||= Math.abs(s(-1) - s(0)) * 2 + (Math.abs(s(-2) - s(1)) >> 1) > blimitBd;
  if (filterLen >= 6) mask ||= far(-3, -2, limitBd) || far(2, 1, limitBd);
  if (filterLen >= 8) mask ||= far(-4, -3, limitBd) || far(3, 2, limitBd);
  if (mask) return;
  let flat = false;
  if (filterSize >= 8) {
    let rough = far(-2, -1, one) || far(1, 0, one) || far(-3, -1, one) || far(2, 0, one);
    if (filterLen >= 8) rough ||= far(-4, -1, one) || far(3, 0, one);
    flat = !rough;
  }
  let flat2 = false;
  if (filterSize >= 16) {
    flat2 = ![4, 5, 6].some((i) => far(-i - 1, -1, one) || far(i, 0, one));
  }
  if (filterSize === 4 || !flat) narrow(line, at, hev, bitDepth);
  else wide(line, at, plane, filterSize === 8 || !flat2 ? 3 : 4);
}

function narrow(line: number[], at: number, hev: boolean, bitDepth: number): void {
  const clamp4 = (value: number): number => clip3(-(1 << (bitDepth - 1)), (1 << (bitDepth - 1)) - 1, value);
  const middle = 0x80 << (bitDepth - 8);
  const [ps1, ps0, qs0, qs1] = [-2, -1, 0, 1].map((i) => line[at + i]! - middle) as [
    number,
    number,
    number,
    number,
  ];
  let filter = hev ? clamp4(ps1 - qs1) : 0;
  filter = clamp4(filter + 3 * (qs0 - ps0));
  const filter1 = clamp4(filter + 4) >> 3;
  const filter2 = clamp4(filter + 3) >> 3;
  line[at] = clamp4(qs0 - filter1) + middle;
  line[at - 1] = clamp4(ps0 + filter2) + middle;
  if (hev) return;
  filter = round2(filter1, 1);
  line[at + 1] = clamp4(qs1 - filter) + middle;
  line[at - 2] = clamp4(ps1 + filter) + middle;
}

function wide(line: number[], at: number, plane: number, log2Size: number): void {
  const n = log2Size === 4 ? 6 : plane === 0 ? 3 : 2;
  const n2 = log2Size === 3 && plane === 0 ? 0 : 1;
  const smoothed: number[] = [];
  for (let i = -n; i < n; i++) {
    let sum = 0;
    for (let j = -n; j <= n; j++) {
      const tap = Math.abs(j) <= n2 ? 2 : 1;
      sum += line[at + clip3(-(n + 1), n, i + j)]! * tap;
    }
    smoothed.push(round2(sum, log2Size));
  }
  for (let i = -n; i < n; i++) line[at + i] = smoothed[i + n]!;
}
