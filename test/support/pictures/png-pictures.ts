/** PNG pictures of every bit depth and colour type, and how sharp reads them. */
import sharp from "sharp";
import type { Picture } from "../../../scripts/harness/png-rows.ts";
import { type PngPlan, samplesOf } from "../../../scripts/samples/png-writer.ts";

/** Returns noise over a slope, so that every filter has something to do. */
export function somePlan(
  bitDepth: PngPlan["bitDepth"],
  colourType: PngPlan["colourType"],
  rest: Partial<PngPlan> = {},
): PngPlan {
  const { width = 37, height = 23 } = rest;
  const length = width * height * samplesOf(colourType);
  const most = 2 ** bitDepth - 1;
  let state = 12345 + bitDepth * 7 + colourType;
  const samples = Array.from({ length }, (_, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(((i / length) * 0.6 + (state / 2 ** 32) * 0.4) * most);
  });
  const palette = Uint8Array.from({ length: 3 * (most + 1) }, (_, i) => (i * 89 + 13) & 255);
  return {
    width,
    height,
    bitDepth,
    colourType,
    samples,
    ...(colourType === 3 ? { palette } : {}),
    ...rest,
  };
}

/** Returns the picture as libpng and libvips read it. */
export async function readBySharp(png: Uint8Array, layout: Picture["layout"]): Promise<Uint8Array> {
  if (layout === "gray") return sharp(png).toColourspace("b-w").raw().toBuffer();
  const data = await sharp(png).toColourspace("srgb").raw().toBuffer();
  // Gray with alpha comes as colour: take red and alpha.
  return layout === "gray-alpha" ? data.filter((_, i) => i % 4 === 0 || i % 4 === 3) : data;
}

export function largestDifference(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) throw new Error(`Lengths differ: ${a.length} and ${b.length}`);
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? 0))), 0);
}

export const KINDS = [
  ...[1, 2, 4, 8, 16].map((depth) => [depth, 0] as const),
  ...[8, 16].flatMap((depth) => [[depth, 2] as const, [depth, 4] as const, [depth, 6] as const]),
  ...[1, 2, 4, 8].map((depth) => [depth, 3] as const),
] as [PngPlan["bitDepth"], PngPlan["colourType"]][];

export const LAYOUTS = { 0: "gray", 2: "rgb", 3: "rgb", 4: "gray-alpha", 6: "rgba" } as const;
