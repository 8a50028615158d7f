/**
 * SSIMULACRA 2 of two pictures (https://github.com/cloudinary/ssimulacra2): 100 for equal ones, 90 visually lossless,
 * 70 high quality, 50 medium. assembly/ adds up the differences, row by row; here they become a score.
 */
import { wholePages } from "../../image/memory/pages.ts";
import { CHANNELS_OF, type RowLayout } from "../../image/memory/rows.ts";
import type { Size } from "../../image/geometry/size.ts";
import type { RowSource } from "../pixels/row-source.ts";
import { RowMemoryError, RowShortageError } from "../scheduling/row-errors.ts";
import type { RowWorkspace } from "../scheduling/row-workspace.ts";
import module from "../wasm/ssimulacra2.wasm";

interface Exports {
  compareAt(scale: number, channels: number): void;
  configure(width: number, height: number, channelsOfFirst: number, channelsOfSecond: number): number;
  linearAddress(): number;
  rowAddress(picture: 0 | 1): number;
  takeRows(): void;
  pixelsAt(scale: number): number;
  sumsAddress(scale: number): number;
  used(): number;
}

/** Work per pixel, in units of WorkMeter. */
const PIXEL_UNITS = 40;

const SCALES = 6;
/** A picture that is smaller at a scale is not compared at the next ones. */
const LEAST_SIDE = 8;
/** X, Y and B. */
const CHANNELS = 3;

/** Sums of a channel at a scale: structure, added edges and lost edges, and the fourth powers of each. */
const SUMS = 6;
const FOURTH_POWERS_FROM = 3;

/**
 * The weights of the reference in its version 2.0, for X, Y and B in turn: for each scale, those of the six sums. Weights
 * below 0.01 are zeros here; they change no score by a hundredth. A small picture has fewer scales: the reference then
 * takes the weights from the front all the same.
 */
// prettier-ignore
const WEIGHTS: readonly number[] = [
  // X
  0, 0, 0, 1.0035479352512353, 0, 0,
  0, 0, 0, 8.982542997575905, 0.9899785796045556, 0,
  0.9748315131207942, 0.9581575169937973, 0, 0.5133611777952946, 1.0423189317331243, 0,
  12.149584966240063, 0.9565577248115467, 0, 1.0406668123136824, 81.51139046057362, 0.30593391895330946,
  1.0752214433626779, 1.1039042369464611, 0, 1.021911638819618, 1.1141823296855722, 0.9730845751441705,
  0, 0, 0, 0.9833918426095505, 0.7920385137059867, 0.9710740411514053,
  // Y
  0, 0, 0, 0.5387077903152638, 0, 3.4036945601155804,
  0, 0, 0, 2.337569295661117, 0, 5.707946510901609,
  37.83086423878157, 0, 0, 3.8258200594305185, 0, 0,
  24.073659674271497, 0, 0, 13.181871265286068, 0, 0,
  0, 0, 0, 10.00750121262895, 0, 0,
  0, 0, 0, 52.51428385603891, 0, 0,
  // B
  0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0,
  0, 0.9946464267894417, 0, 0, 0, 0,
  0, 0.9945171491374072, 0, 2.8260043809454376, 1.0052642766534516, 0,
  12.154041855876695, 32.292928706201266, 0.992837130387521, 0, 30.71925517844603, 0,
  0, 0.9826260237051734, 0, 0, 0.9980928367837651, 0.012142430067163312,
];

/** Converts a value of sRGB (IEC 61966-2-1), 0 to 1, to linear light. */
const linearOf = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

type Layout = Extract<RowLayout, "gray" | "rgb">;

/**
 * Compares two pictures of the same size, gray or RGB. Both are read to their ends.
 * @throws RowMemoryError when the memory is too small
 * @throws RowShortageError when a picture ends early
 * @throws RangeError for pictures with alpha, of different sizes, or with a side of less than 8 pixels
 */
export async function ssimulacra2(
  { memory, work, counted }: RowWorkspace,
  first: RowSource,
  second: RowSource,
): Promise<number> {
  const { width, height } = first;
  if (width !== second.width || height !== second.height) throw new RangeError("The pictures differ in size");
  if (!isComparable(first)) throw new RangeError("The pictures are too small to be compared");
  const wasm = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
  const weights = weightsOf(first);
  weights.forEach((ofScale, scale) => wasm.compareAt(scale, channelsThatWeigh(ofScale)));
  if (!wasm.configure(width, height, channelsOf(first), channelsOf(second))) {
    throw new RowMemoryError("encode", `Comparing ${width} x ${height} does not fit its memory`);
  }
  counted?.(wholePages(wasm.used()));
  const linear = Float32Array.from({ length: 256 }, (_, value) => linearOf(value / 255));
  new Float32Array(memory.buffer, wasm.linearAddress(), 256).set(linear);
  const rows = [singleRows(first), singleRows(second)] as const;
  for (let y = 0; y < height; y++) {
    for (const picture of [0, 1] as const) {
      const row = await rows[picture]();
      new Uint8Array(memory.buffer, wasm.rowAddress(picture), row.length).set(row);
    }
    wasm.takeRows();
    await work.spend(PIXEL_UNITS * width);
  }
  return scoreOf(differencesIn(memory, wasm, weights));
}

function channelsOf({ layout }: RowSource): number {
  if (layout === "gray" || layout === "rgb") return CHANNELS_OF[layout satisfies Layout];
  throw new RangeError("Only pictures without alpha are compared");
}

/** Returns a function that returns the next row. Its bytes are valid until the next call. */
function singleRows(source: RowSource): () => Promise<Uint8Array> {
  const rowBytes = source.width * CHANNELS_OF[source.layout];
  let rows = new Uint8Array();
  let at = 0;
  return async () => {
    if (at === rows.length) {
      const next = await source.next();
      if (!next) throw new RowShortageError("A picture to be compared ended before its last row");
      [rows, at] = [next as Uint8Array<ArrayBuffer>, 0];
    }
    at += rowBytes;
    return rows.subarray(at - rowBytes, at);
  };
}

/** Returns the weights of each scale of a picture: those of the six sums of X, Y and B in turn. */
function weightsOf({ width, height }: Size): number[][] {
  const least = Math.min(width, height);
  let count = 1;
  while (count < SCALES && Math.ceil(least / 2 ** (count - 1)) >= LEAST_SIDE) count++;
  return Array.from({ length: count }, (_, scale) =>
    Array.from({ length: CHANNELS }, (_, channel) => {
      const from = SUMS * (channel * count + scale);
      return WEIGHTS.slice(from, from + SUMS);
    }).flat(),
  );
}

/** Returns a bit for each channel that has a weight. */
const channelsThatWeigh = (weights: readonly number[]): number =>
  weights.reduce((bits, weight, i) => (weight > 0 ? bits | (1 << Math.floor(i / SUMS)) : bits), 0);

/** Returns the weighted sum of all differences. */
function differencesIn(memory: WebAssembly.Memory, wasm: Exports, weights: readonly number[][]): number {
  let sum = 0;
  weights.forEach((ofScale, scale) => {
    const sums = new Float64Array(memory.buffer, wasm.sumsAddress(scale), ofScale.length);
    const pixels = wasm.pixelsAt(scale);
    ofScale.forEach((weight, i) => {
      const mean = (sums[i] ?? 0) / pixels;
      sum += weight * (i % SUMS >= FOURTH_POWERS_FROM ? mean ** 0.25 : mean);
    });
  });
  return sum;
}

/** The constants of the reference by which a weighted sum of differences becomes a score. */
const SCORE = { factor: 17.829717797575952, offset: 1.634169143917183, power: 0.5453261009510213 } as const;

/** Returns the score of a weighted sum of differences. */
function scoreOf(differences: number): number {
  const distance = SCORE.factor * differences - SCORE.offset;
  return distance > 0 ? 100 - 10 * distance ** SCORE.power : 100;
}

/** Returns the weighted sum of differences that a picture with this score has. */
export const differencesAt = (score: number): number =>
  ((Math.max(0, 100 - score) / 10) ** (1 / SCORE.power) + SCORE.offset) / SCORE.factor;

/** Returns whether a picture of this size can be compared. */
export const isComparable = ({ width, height }: Size): boolean => Math.min(width, height) >= LEAST_SIDE;
