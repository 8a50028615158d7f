/** Loop restoration and super-resolution kernels: sample for sample what the specification says. */
import { beforeAll, describe, expect, it } from "vitest";
import { integersOf } from "../../../../../../../scripts/samples/random.ts";
import { compileKernels, type Kernels } from "./kernels.ts";
import { selfGuided, upscale, wiener, type SourceAt } from "./reference/restoration.ts";

const SOURCE = `
  import { layOutWindow, copyRow, keepColumns } from "./window";
  import { layOutWiener, filterWiener } from "./restoration/wiener";
  import { layOutBoxes } from "./restoration/boxes";
  import { layOutSelfGuided, filterSelfGuided } from "./restoration/self-guided";
  import { upscaleRows, upscaleStart, upscaleStep } from "./upscale/rows";
  import { UPSCALE_FILTERS } from "./upscale/taps";
  export { copyRow, keepColumns, filterWiener, filterSelfGuided, upscaleRows, upscaleStart, upscaleStep };
  export function layOut(): bool { return layOutWindow() && layOutWiener() && layOutBoxes() && layOutSelfGuided(); }
  export function filters(): usize { return UPSCALE_FILTERS; }
`;
const STRIDE = 400;
const LEFT = 16;
const ROWS = 72;

type Random = (limit: number) => number;

let kernels: Kernels;
let picture = 0;
let output = 0;
let coefficients = 0;

beforeAll(async () => {
  kernels = await compileKernels(SOURCE);
  kernels.call("layOut");
  picture = kernels.allocate(STRIDE * ROWS * 2) + LEFT * 2;
  output = kernels.allocate(STRIDE * ROWS * 2);
  coefficients = kernels.allocate(16);
});

const sampleAt = (x: number, y: number): number => kernels.u16[picture / 2 + y * STRIDE + x]!;

/** Fills the picture with flat parts, slopes, edges or noise. */
function fill(random: Random, bitDepth: number): void {
  const highest = (1 << bitDepth) - 1;
  const noise = [1, 3, 17, highest / 8, highest][random(5)]! | 0 || 1;
  const [dx, dy, ground, contrast] = [random(5), random(5), random(highest), random(highest)];
  for (let y = 0; y < ROWS; y++) {
    for (let x = -LEFT; x < STRIDE - LEFT; x++) {
      const value = ground + ((x * dx + y * dy) & 16 ? contrast : 0) + random(noise);
      kernels.u16[picture / 2 + y * STRIDE + x] = Math.min(highest, value);
    }
  }
}

/** Copies a stripe of `height` rows into the window, with what `filter` reads beyond the edges of the picture. */
function loadWindow(width: number, height: number, isFirst: boolean, isLast: boolean): SourceAt {
  for (let y = -3; y < height + 3; y++) {
    const row = picture + (y + 3) * STRIDE * 2;
    kernels.call("copyRow", y, row, width, 0, isFirst ? 1 : 0, isLast ? 1 : 0, 0);
  }
  return (x, y) => {
    const left = isFirst ? Math.max(0, x) : x;
    return sampleAt(isLast ? Math.min(width - 1, left) : left, y + 3);
  };
}

function expectRows(wanted: number[][], width: number, label: string): void {
  wanted.forEach((row, y) => {
    const start = output / 2 + y * STRIDE;
    expect([...kernels.u16.subarray(start, start + width)], `${label}, row ${y}`).toEqual(row);
  });
}

const sizeOf = (random: Random): [width: number, height: number] =>
  [random(3) ? 1 + random(64) : 64, random(8) ? 1 + random(16) : 64]; // prettier-ignore

describe.each([8, 10, 12])("loop restoration of %i bits", (bitDepth) => {
  it("filters windows by Wiener's filter", () => {
    const random = integersOf(bitDepth);
    for (let round = 0; round < 300; round++) {
      fill(random, bitDepth);
      const [width, height] = sizeOf(random);
      const at = loadWindow(width, height, !random(2), !random(2));
      const part = (): number[] =>
        random(4) ? [random(16) - 5, random(32) - 23, random(64) - 17] : [[-5, 10], [-23, 8], [-17, 46]].map((ends) => ends[random(2)]!); // prettier-ignore
      const both = [part(), part()];
      kernels.i8.set(both.flat(), coefficients);
      kernels.call("filterWiener", width, height, coefficients, output, STRIDE * 2, bitDepth);
      expectRows(wiener(at, width, height, both, bitDepth), width, `round ${round}, ${both.join()}`);
    }
  });

  it("filters windows by the self-guided filter", () => {
    const random = integersOf(bitDepth + 1);
    for (let round = 0; round < 160; round++) {
      fill(random, bitDepth);
      const [width, height] = sizeOf(random);
      const at = loadWindow(width, height, !random(2), !random(2));
      const set = round & 15;
      const xqd = random(3)
        ? [random(128) - 96, random(128) - 32]
        : [random(2) ? -96 : 31, random(2) ? -32 : 95];
      kernels.call("filterSelfGuided", width, height, set, xqd[0]!, xqd[1]!, output, STRIDE * 2, bitDepth);
      expectRows(selfGuided(at, width, height, set, xqd, bitDepth), width, `round ${round}, ${xqd.join()}`);
    }
  });

  it("enlarges rows of every ratio", () => {
    const random = integersOf(bitDepth + 2);
    const address = kernels.call("filters");
    const taps = new Int16Array(kernels.u16.buffer, address, 512);
    const filters = Array.from({ length: 64 }, (_, i) => [...taps.subarray(i * 8, i * 8 + 8)]);
    for (let round = 0; round < 200; round++) {
      fill(random, bitDepth);
      const upscaledWidth = 16 + random(300);
      const denominator = 9 + random(8);
      const planeWidth = Math.floor((upscaledWidth * 8 + denominator / 2) / denominator);
      const codedWidth = (planeWidth + 7) & ~7;
      const rows = 1 + random(6);
      const step = kernels.call("upscaleStep", planeWidth, upscaledWidth);
      const start = kernels.call("upscaleStart", planeWidth, upscaledWidth);
      const source = Array.from({ length: rows }, (_, y) =>
        Array.from({ length: codedWidth }, (_, x) => sampleAt(x, y)),
      );
      kernels.call(
        "upscaleRows",
        picture,
        STRIDE * 2,
        codedWidth,
        output,
        STRIDE * 2,
        upscaledWidth,
        rows,
        step,
        start,
        bitDepth,
      );
      const enlargement = { planeWidth, upscaledWidth, codedWidth, bitDepth };
      expectRows(
        source.map((row) => upscale(row, filters, enlargement)),
        upscaledWidth,
        `round ${round}`,
      );
    }
  });
});
