/** The filters in rows, compiled with setters for the headers, and fed with superblock rows of a frame. */
import { expect } from "vitest";
import { compileKernels, type Kernels } from "./kernels.ts";
import { SIZES } from "./random-frame.ts";
import type { Frame } from "./reference/frame.ts";
import type { Grain } from "./reference/grain.ts";

const SOURCE = `
  import { layOutBand, bandAddress, bandStride } from "../planes";
  import { layOutInfo, infoStride, lumaSizes, chromaSizes, skips, levels, cdefIndices, cdefStride } from "../blocks/info";
  import { layOutRestoration, restorationUnit } from "../blocks/restoration";
  import { placeFilters, setDeblocking, setCdef, setRestoration } from "../headers/filter-params";
  import { setSequence } from "../headers/sequence";
  import { setFrame } from "../headers/frame";
  import { filterBytes, filterRow, finishedAddress, finishedStride, layOutFilters } from "./index";
  import { UPSCALE_FILTERS } from "./upscale/taps";
  import { GAUSSIAN } from "./grain/gaussian";
  import { setGrain } from "../headers/grain";
  import { highWater } from "../../../../../pixels/assembly/shared/arena";
  export { setSequence, setFrame, setDeblocking, setCdef, setRestoration, placeFilters };
  export { bandAddress, bandStride, restorationUnit, filterRow, finishedAddress, finishedStride };
  export function layOut(): bool { return layOutBand(1) && layOutInfo() && layOutRestoration(); }
  export { layOutFilters, highWater };
  export function info(i: i32): usize {
    if (i == 0) return infoStride;
    if (i == 1) return lumaSizes;
    if (i == 2) return chromaSizes;
    if (i == 3) return skips;
    if (i == 4) return levels;
    return i == 5 ? cdefIndices : cdefStride;
  }
  export { setGrain };
  export function mostBytes(): f64 { return <f64>filterBytes(); }
  export function gaussian(): usize { return GAUSSIAN; }
  export function taps(): usize { return UPSCALE_FILTERS; }
`;
const ADDITIONS = {
  "headers/sequence.ts": `
    export function setSequence(bits: i32, planes: i32, x: i32, y: i32, size: i32, matrix: i32): void {
      bitDepth = bits; matrixCoefficients = matrix; planeCount = planes; subX = x; subY = y; sbSize = size;
    }`,
  "headers/frame.ts": `
    export function setFrame(width: i32, upscaled: i32, height: i32): void {
      frameWidth = width; upscaledWidth = upscaled; frameHeight = height;
      miCols = 2 * ((width + 7) >> 3); miRows = 2 * ((height + 7) >> 3);
      const shift = sbSize == 128 ? 5 : 4;
      sbColumns = (miCols + (1 << shift) - 1) >> shift; sbRows = (miRows + (1 << shift) - 1) >> shift;
    }`,
  "headers/grain.ts": `export function setGrain(at: usize): void { grainAddress = at; }`,
  "headers/filter-params.ts": `
    export function setDeblocking(v: i32, h: i32, u: i32, w: i32, sharpness: i32): void {
      loopFilterLevelV = v; loopFilterLevelH = h; loopFilterLevelU = u; loopFilterLevelW = w;
      loopFilterSharpness = sharpness;
    }
    export function setCdef(isOn: bool, damping: i32): void { cdefOn = isOn; cdefDamping = damping; cdefBits = 3; }
    export function setRestoration(types: i32, luma: i32, chroma: i32): void {
      usesRestoration = types != 0; restorationTypes = types; lumaUnitLog2 = luma; chromaUnitLog2 = chroma;
    }`,
};

let kernels: Kernels;

/** Compiles the filters. @returns the taps of super-resolution, and the noise of grain */
export async function openFilters(): Promise<{ taps: number[][]; gaussian: Int16Array }> {
  kernels = await compileKernels(SOURCE, ADDITIONS);
  const taps = new Int16Array(kernels.u16.buffer, kernels.call("taps"), 512);
  return {
    taps: Array.from({ length: 64 }, (_, i) => [...taps.subarray(i * 8, i * 8 + 8)]),
    gaussian: new Int16Array(kernels.u16.buffer, kernels.call("gaussian"), 2048),
  };
}

const sizeIndex = ([width, height]: [number, number]): number =>
  SIZES.findIndex(([w, h]) => w === width && h === height);

function setHeaders(frame: Frame, sbSize: number): void {
  const { call } = kernels;
  call(
    "setSequence",
    frame.bitDepth,
    frame.planeCount,
    frame.subX,
    frame.subY,
    sbSize,
    frame.matrixCoefficients,
  );
  call("setFrame", frame.frameWidth, frame.upscaledWidth, frame.frameHeight);
  const [v, h, u, w] = frame.planeLevels as [number, number, number, number];
  call("setDeblocking", v, h, u, w, frame.sharpness);
  call("setCdef", frame.cdefOn ? 1 : 0, frame.cdefDamping);
  const table = kernels.allocate(16);
  kernels.u8.set(frame.strengths.flat(), table);
  call("placeFilters", table);
  const types = frame.restorationTypes.reduce((all, type, plane) => all | (type << (2 * plane)), 0);
  const logs = frame.unitSizes.map((size) => Math.log2(size));
  call("setRestoration", types, logs[0]!, logs[1] ?? logs[0]!);
}

/** Puts a superblock row into the band and the block information. */
function putRow(frame: Frame, samples: number[][][], row: number, sbSize: number): void {
  const { call } = kernels;
  samples.forEach((rows, plane) => {
    const high = sbSize >> (plane ? frame.subY : 0);
    rows.slice(row * high, (row + 1) * high).forEach((line, y) => {
      kernels.u16.set(line, (call("bandAddress", plane) + y * call("bandStride", plane)) / 2);
    });
  });
  const [stride, luma, chroma, skips, levels, indices, indexStride] = [0, 1, 2, 3, 4, 5, 6].map((i) => call("info", i)) as [
    number, number, number, number, number, number, number,
  ]; // prettier-ignore
  for (let r = 0; r < sbSize >> 2; r++) {
    const mi = row * (sbSize >> 2) + r;
    if (mi >= frame.miRows) break;
    for (let c = 0; c < frame.miCols; c++) {
      const entry = r * stride + c;
      kernels.u8[luma + entry] = sizeIndex(frame.sizes[0]![mi]![c]!);
      const isLast = (r & frame.subY) === frame.subY && (c & frame.subX) === frame.subX;
      if (isLast)
        kernels.u8[chroma + entry] = sizeIndex(frame.sizes[1]![mi >> frame.subY]![c >> frame.subX]!);
      kernels.u8[skips + entry] = frame.skips[mi]![c] ? 1 : 0;
      kernels.u8.set(frame.levels[mi]![c]!, levels + 4 * entry);
    }
  }
  for (let r = 0; r < sbSize >> 6; r++) {
    frame.cdefIndices[row * (sbSize >> 6) + r]?.forEach(
      (index, c) => (kernels.i8[indices + r * indexStride + c] = index),
    );
  }
}

/** Puts the struct of `headers/grain.ts` into memory. */
function putGrain(grain: Grain): void {
  const at = kernels.allocate(256);
  const { u8, u16 } = kernels;
  u16[at / 2] = grain.seed;
  grain.points.forEach((points, plane) => {
    u8[at + 2 + plane] = points.length;
    u8.set(points.flat(), at + [24, 56, 88][plane]!);
  });
  const { scalingMinus8, lag, arShiftMinus6, scaleShift } = grain;
  const flags = [
    grain.fromLuma,
    scalingMinus8,
    lag,
    arShiftMinus6,
    scaleShift,
    grain.hasOverlap,
    grain.isClipped,
  ];
  u8.set(flags.map(Number), at + 5);
  u16.set(grain.mixes.flat(), at / 2 + 6);
  grain.coefficients.forEach((coefficients, plane) => u8.set(coefficients, at + [120, 144, 172][plane]!));
  kernels.call("setGrain", at);
}

/** Puts the units of loop restoration whose first row is in a superblock row. */
function putUnits(frame: Frame, sbRow: number, sbSize: number): void {
  frame.units.forEach((rows, plane) => {
    if (!frame.restorationTypes[plane]) return;
    const [subX, subY] = plane ? [frame.subX, frame.subY] : [0, 0];
    const size = frame.unitSizes[plane]!;
    const count = (samples: number): number => Math.max(1, Math.floor((samples + size / 2) / size));
    const columns = count((frame.upscaledWidth + subX) >> subX);
    const high = sbSize >> subY;
    for (let r = 0; r < count((frame.frameHeight + subY) >> subY); r++) {
      if (Math.floor((r * size) / high) !== sbRow) continue;
      for (let c = 0; c < columns; c++) {
        const unit = rows[r]![c]!;
        const values = unit.type === 1 ? unit.wiener.flat() : [unit.set, ...unit.xqd];
        kernels.i8.set([unit.type, ...values], kernels.call("restorationUnit", plane, r, c));
      }
    }
  });
}

/** Returns the planes of a frame after all of its filters. */
export async function filtered(
  frame: Frame,
  sbSize: number,
  grain: Grain | null = null,
): Promise<number[][][]> {
  kernels = await kernels.anew();
  const { call } = kernels;
  const samples = frame.planes;
  setHeaders(frame, sbSize);
  if (grain) putGrain(grain);
  call("layOut");
  const before = call("highWater");
  expect(call("layOutFilters")).toBe(1);
  expect(call("highWater") - before).toBeLessThanOrEqual(call("mostBytes"));
  const output: number[][][] = samples.map(() => []);
  for (let row = 0; row * sbSize < frame.frameHeight; row++) {
    putRow(frame, samples, row, sbSize);
    putUnits(frame, row, sbSize);
    const count = call("filterRow", row);
    output.forEach((rows, plane) => {
      const [subX, subY] = plane ? [frame.subX, frame.subY] : [0, 0];
      for (let y = 0; y < (count + subY) >> subY; y++) {
        const at = (call("finishedAddress", plane) + y * call("finishedStride", plane)) / 2;
        rows.push([...kernels.u16.subarray(at, at + ((frame.upscaledWidth + subX) >> subX))]);
      }
    });
  }
  return output;
}
