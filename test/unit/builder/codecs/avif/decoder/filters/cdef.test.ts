/** CDEF kernels: sample for sample what the specification says, over random blocks. */
import { beforeAll, describe, expect, it } from "vitest";
import { integersOf } from "../../../../../../../scripts/samples/random.ts";
import { compileKernels, type Kernels } from "./kernels.ts";
import { cdefSample, findDirection, type SampleAt } from "./reference/cdef.ts";

const SOURCE = `
  import { layOutWindow, copyRow, fillRow, OUTSIDE, windowAt } from "./window";
  import { filterBlock } from "./cdef/block";
  import { findDirection, variance } from "./cdef/direction";
  export { layOutWindow, copyRow, filterBlock, findDirection };
  export function varianceFound(): i32 { return variance; }
  export function markRow(row: i32): void { fillRow(row, OUTSIDE); }
  export function windowAddress(): usize { return windowAt; }
`;
const WIDTH = 80;

let kernels: Kernels;
let picture = 0;
let output = 0;

beforeAll(async () => {
  kernels = await compileKernels(SOURCE);
  kernels.call("layOutWindow");
  picture = kernels.allocate(WIDTH * 32 * 2) + 64;
  output = kernels.allocate(64 * 16);
});

/** Fills rows -2 to 9 of a picture whose window of 8 x 8 begins at column 8, with a stripe of random direction. */
function fill(random: (limit: number) => number, bitDepth: number): void {
  const scale = 1 << (bitDepth - 8);
  const highest = 256 * scale - 1;
  const [dx, dy] = [random(9) - 4, random(9) - 4];
  const contrast = random(3) ? random(64 * scale) : random(highest);
  const noise = 1 + (random(2) ? random(8 * scale) : random(highest));
  const ground = random(highest);
  for (let y = 0; y < 14; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const value = ground + ((x * dx + y * dy + 64) & 8 ? contrast : 0) + random(noise);
      kernels.u16[picture / 2 + y * WIDTH + x] = Math.min(highest, value);
    }
  }
}

describe.each([8, 10, 12])("CDEF of %i bits", (bitDepth) => {
  it("finds the direction and variance of a block", () => {
    const random = integersOf(bitDepth);
    for (let round = 0; round < 1000; round++) {
      fill(random, bitDepth);
      for (let y = 0; y < 8; y++) kernels.call("copyRow", y, picture + y * WIDTH * 2 + 16, 8, 0, 0, 0, 1);
      const at: SampleAt = (x, y) => kernels.u16[picture / 2 + y * WIDTH + 8 + x]!;
      const yDir = kernels.call("findDirection", kernels.call("windowAddress"), bitDepth);
      const found = { yDir, variance: kernels.call("varianceFound") };
      expect(found, `round ${round}`).toEqual(findDirection(at, 0, 0, bitDepth));
    }
  });

  it("filters blocks of 8 x 8, 4 x 8 and 4 x 4, at the edges of the picture too", () => {
    const random = integersOf(bitDepth + 1);
    for (let round = 0; round < 2000; round++) {
      fill(random, bitDepth);
      const [width, height] = [[8, 8], [4, 8], [4, 4]][random(3)]! as [number, number]; // prettier-ignore
      const edges = { left: !random(3), right: !random(3), top: !random(3), bottom: !random(3) };
      for (let y = -2; y < height + 2; y++) {
        const isOutside = (edges.top && y < 0) || (edges.bottom && y >= height);
        if (isOutside) kernels.call("markRow", y);
        else {
          const from = picture + (y + 2) * WIDTH * 2 + 16;
          kernels.call("copyRow", y, from, width, 0, edges.left ? 1 : 0, edges.right ? 1 : 0, 1);
        }
      }
      const at: SampleAt = (x, y) => {
        if ((edges.left && x < 0) || (edges.right && x >= width)) return null;
        if ((edges.top && y < 0) || (edges.bottom && y >= height)) return null;
        return kernels.u16[picture / 2 + (y + 2) * WIDTH + 8 + x]!;
      };
      const scale = bitDepth - 8;
      const priStr = random(3) ? ((random(15) + 1) << scale) >> random(3) : 0;
      const secStr = priStr === 0 || random(3) ? [1, 2, 4][random(3)]! << scale : 0;
      const strengths = { priStr, secStr, damping: 2 + random(5) + scale, dir: random(8), bitDepth };
      kernels.u16.fill(0, output / 2, output / 2 + 8 * 16);
      const from = kernels.call("windowAddress");
      const { damping, dir } = strengths;
      kernels.call(
        "filterBlock",
        from,
        output,
        32,
        width === 4 ? 1 : 0,
        height,
        priStr,
        secStr,
        dir,
        damping,
        bitDepth,
      );
      for (let y = 0; y < height; y++) {
        const wanted = Array.from({ length: width }, (_, x) => cdefSample(at, x, y, strengths));
        const found = [...kernels.u16.subarray(output / 2 + y * 16, output / 2 + y * 16 + width)];
        const label = `round ${round}, row ${y}, ${JSON.stringify(strengths)}, ${width} x ${height}`;
        expect(found, label).toEqual(wanted);
      }
    }
  });
});
