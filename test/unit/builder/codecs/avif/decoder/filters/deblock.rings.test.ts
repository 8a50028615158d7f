/** Deblocking kernels: sample for sample what the specification says, over random edges. */
import { beforeAll, describe, expect, it } from "vitest";
import { integersOf } from "../../../../../../../scripts/samples/random.ts";
import { compileKernels, type Kernels } from "./kernels.ts";
import { deblockLine } from "./reference/deblock.ts";
import { rounds } from "../../../../../../support/ring.ts";

const SOURCE = `
  import { layOutLimits, setLimits } from "./deblock/limits";
  import { layOutColumnEdge, filterColumnEdge } from "./deblock/column-edge";
  import { filterEdge } from "./deblock/edge";
  export { setLimits, filterColumnEdge, filterEdge };
  export function layOut(): bool { return layOutLimits() && layOutColumnEdge(); }
`;
/** Size of the kernel, plane and size by the specification. */
const SIZES = [
  [4, 0, 4],
  [4, 1, 4],
  [6, 1, 8],
  [8, 0, 8],
  [14, 0, 16],
] as const;
const SPAN = 32;

let kernels: Kernels;
let area = 0;

beforeAll(async () => {
  kernels = await compileKernels(SOURCE);
  kernels.call("layOut");
  area = kernels.allocate(SPAN * SPAN * 2);
});

/** Fills a square with a slope of random steepness, a step at the edge in the middle, and noise. */
function fill(random: (limit: number) => number, bitDepth: number, isColumn: boolean): number[][] {
  const scale = 1 << (bitDepth - 8);
  const highest = 256 * scale - 1;
  const noise = [1, 2, 4, 16, 256][random(5)]! * (random(3) ? scale : 1);
  const step = random(2) ? random(40 * scale) : random(4 * scale);
  const ground = random(highest);
  const rows: number[][] = [];
  for (let y = 0; y < SPAN; y++) {
    const row: number[] = [];
    for (let x = 0; x < SPAN; x++) {
      const across = isColumn ? x : y;
      const value = ground + (across < SPAN / 2 ? 0 : step) + random(noise);
      row.push(Math.min(highest, random(64) === 0 ? random(highest) : value));
    }
    rows.push(row);
  }
  rows.forEach((row, y) => kernels.u16.set(row, area / 2 + y * SPAN));
  return rows;
}

const read = (): number[][] =>
  Array.from({ length: SPAN }, (_, y) => [
    ...kernels.u16.subarray(area / 2 + y * SPAN, area / 2 + (y + 1) * SPAN),
  ]);

const ROUNDS = rounds(100, 500);

describe.each(SIZES)("a filter of %i samples in plane %i", (size, plane, filterSize) => {
  it.each([8, 10, 12])("is exact between rows and between columns, with %i bits", (bitDepth) => {
    const random = integersOf(size * 100 + bitDepth + plane);
    for (let round = 0; round < ROUNDS; round++) {
      const sharpness = random(8);
      const isColumn = random(2) === 1;
      const isHalf = random(2) === 1;
      const levels = [random(4) ? random(64) : 0, isHalf ? 0 : random(64)];
      const rows = fill(random, bitDepth, isColumn);
      kernels.call("setLimits", sharpness, bitDepth);
      const along = 8;
      const at = area + 2 * (isColumn ? along * SPAN + SPAN / 2 : (SPAN / 2) * SPAN + along);
      const [first, second] = levels as [number, number];
      if (isColumn) {
        kernels.call("filterColumnEdge", at, SPAN * 2, size, first, second, bitDepth, isHalf ? 4 : 8);
      } else {
        kernels.call("filterEdge", at, SPAN * 2, size, first, second, bitDepth, isHalf ? 1 : 0);
      }
      for (let i = 0; i < (isHalf ? 4 : 8); i++) {
        const level = levels[i >> 2]!;
        const filter = { plane, filterSize, level, sharpness, bitDepth };
        const line = isColumn ? rows[along + i]! : rows.map((row) => row[along + i]!);
        deblockLine(line, SPAN / 2, filter);
        if (!isColumn) rows.forEach((row, y) => (row[along + i] = line[y]!));
      }
      expect(read(), `round ${round}`).toEqual(rows);
    }
  });
});
