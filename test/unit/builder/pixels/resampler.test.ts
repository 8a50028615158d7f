/** Pixels of the resampler, against the definition of its filter and against libvips. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { resampleRows } from "../../../../src/builder/pixels/resampler.ts";
import { CHANNELS_OF } from "../../../../src/image/memory/rows.ts";
import {
  collectRows,
  type Picture,
  psnr,
  rowsOf,
  workspaceIn,
} from "../../../../scripts/harness/png-rows.ts";
import { somePicture } from "../../../support/pictures/textured-pictures.ts";

async function resample(picture: Picture, width: number, height: number): Promise<Uint8Array> {
  return (await collectRows(resampleRows(workspaceIn(), rowsOf(picture), { width, height }))).data;
}

function kernel(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= 3) return 0;
  const p = Math.PI * x;
  return (3 * Math.sin(p) * Math.sin(p / 3)) / (p * p);
}

/** Returns the sources and weights of each output sample, by the definition. */
function exactAxis(source: number, out: number): [at: number, weight: number][][] {
  const step = source / out;
  const stretch = Math.max(1, step);
  return Array.from({ length: out }, (_, o) => {
    const centre = (o + 0.5) * step - 0.5;
    const taps: [number, number][] = [];
    for (let i = Math.ceil(centre - 3 * stretch); i <= centre + 3 * stretch; i++) {
      taps.push([Math.max(0, Math.min(source - 1, i)), kernel((i - centre) / stretch)]);
    }
    const sum = taps.reduce((total, [, weight]) => total + weight, 0);
    return taps.map(([at, weight]) => [at, weight / sum]);
  });
}

/** Resizes by Lanczos3 in floating point, premultiplied where there is alpha. */
function exact({ width, height, layout, data }: Picture, outWidth: number, outHeight: number): Uint8Array {
  const channels = CHANNELS_OF[layout];
  const alphaAt = layout === "rgba" || layout === "gray-alpha" ? channels - 1 : -1;
  const source = Float64Array.from(data, (value, i) => {
    if (alphaAt < 0 || i % channels === alphaAt) return value;
    return (value * (data[i - (i % channels) + alphaAt] ?? 0)) / 255;
  });
  const [across, down] = [exactAxis(width, outWidth), exactAxis(height, outHeight)];
  const lines = new Float64Array(outHeight * width * channels);
  down.forEach((taps, y) => {
    for (const [at, weight] of taps) {
      for (let i = 0; i < width * channels; i++) {
        const to = y * width * channels + i;
        lines[to] = (lines[to] ?? 0) + weight * (source[at * width * channels + i] ?? 0);
      }
    }
  });
  const out = new Uint8ClampedArray(outWidth * outHeight * channels);
  for (let pixel = 0; pixel < outWidth * outHeight; pixel++) {
    const row = Math.floor(pixel / outWidth) * width;
    const sums = Array.from({ length: channels }, (_, c) =>
      (across[pixel % outWidth] ?? []).reduce(
        (total, [at, weight]) => total + weight * (lines[(row + at) * channels + c] ?? 0),
        0,
      ),
    );
    const alpha = alphaAt < 0 ? 255 : (sums[alphaAt] ?? 0);
    sums.forEach((sum, c) => {
      out[pixel * channels + c] = c === alphaAt || alphaAt < 0 ? sum : alpha < 0.5 ? 0 : (sum * 255) / alpha;
    });
  }
  return new Uint8Array(out);
}

/** Returns colour as it shows on a background, where a fringe would be seen. */
function onBackground(data: Uint8Array, background: number): Uint8Array {
  return data.map((value, i) => {
    const alpha = data[i - (i % 4) + 3] ?? 0;
    return i % 4 === 3 ? alpha : (value * alpha + background * (255 - alpha)) / 255;
  });
}

describe("against the definition", () => {
  // Above a ratio of 4 boxes go before the filter, which costs some decibels; libvips does it alike.
  const cases: [number, number, number][] = [
    [300, 200, 68],
    [101, 67, 68],
    [301, 201, 60],
    [640, 480, 68],
    [60, 40, 47],
    [31, 27, 40],
    [7, 5, 40],
    [1, 1, 45],
    [302, 20, 36],
    [20, 202, 40],
  ];
  it.each(cases)("becomes %i x %i within %i dB", async (width, height, bound) => {
    for (const layout of ["gray", "rgb", "cmyk"] as const) {
      const picture = somePicture(302, 202, layout);
      expect(psnr(await resample(picture, width, height), exact(picture, width, height))).toBeGreaterThan(
        bound,
      );
    }
  });

  it.each(["gray-alpha", "rgba"] as const)("weighs the colour of %s by its alpha", async (layout) => {
    const picture = somePicture(200, 150, layout);
    for (const [width, height] of [
      [90, 70],
      [40, 30],
      [333, 222],
    ] as const) {
      const data = await resample(picture, width, height);
      expect(psnr(data, exact(picture, width, height))).toBeGreaterThan(43);
    }
  });
});

describe("against libvips", () => {
  it.each([
    [500, 350],
    [200, 133],
    [100, 70],
    [50, 35],
  ])("is within 50 dB at %i x %i", async (width, height) => {
    const picture = somePicture(1000, 700, "rgb");
    const raw = { width: 1000, height: 700, channels: 3 as const };
    const theirs = await sharp(picture.data, { raw }).resize(width, height, { fit: "fill" }).raw().toBuffer();
    expect(psnr(await resample(picture, width, height), theirs)).toBeGreaterThan(50);
  });

  it("is within 46 dB with alpha, on black and on white", async () => {
    const picture = somePicture(600, 420, "rgba");
    const raw = { width: 600, height: 420, channels: 4 as const };
    const theirs = await sharp(picture.data, { raw }).resize(250, 175, { fit: "fill" }).raw().toBuffer();
    const ours = await resample(picture, 250, 175);
    for (const background of [0, 255]) {
      expect(psnr(onBackground(ours, background), onBackground(theirs, background))).toBeGreaterThan(46);
    }
  });
});

describe("alpha", () => {
  it("leaves no trace of what colour transparent pixels have", async () => {
    const width = 120;
    const data = new Uint8Array(width * width * 4);
    for (let i = 0; i < data.length; i += 4) {
      const inside = (i >> 2) % width > 40 && (i >> 2) % width < 80;
      // A light disc on transparent green.
      data.set(inside ? [250, 240, 230, 255] : [0, 255, 0, 0], i);
    }
    for (const size of [100, 45, 20]) {
      const out = await resample({ width, height: width, layout: "rgba", data }, size, size);
      for (let i = 0; i < out.length; i += 4) {
        const alpha = out[i + 3] ?? 0;
        if (alpha < 16) continue;
        expect(Math.abs((out[i] ?? 0) - 250)).toBeLessThanOrEqual(Math.ceil(255 / alpha) + 1);
        expect(Math.abs((out[i + 2] ?? 0) - 230)).toBeLessThanOrEqual(Math.ceil(255 / alpha) + 1);
      }
    }
  });
});
