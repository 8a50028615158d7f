import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { resizeExactly } from "../../../../support/pictures/jpeg-exact-resize.ts";
import { decode, decodeBySharp, psnr } from "../../../../../scripts/harness/jpeg-decoding.ts";
import { makePicture } from "../../../../../scripts/samples/jpeg/picture.ts";
import { progression, writeJpeg } from "../../../../../scripts/samples/jpeg/writer.ts";

/**
 * Decodes at a DCT scale lose what the scale cuts off: against the exact Lanczos3 of the full decode they stay
 * above this in dB, on a picture of smooth waves under grain whose colours are all inside RGB (a full decode
 * clips the others before its resize, a scaled one after it).
 */
const MIN_PSNR = 42;
/** libjpeg repeats chroma sampled at a quarter, which a resampled decode smooths. */
const MIN_PSNR_REPEATED = 36;
const YCC = {
  "4:4:4": [[1, 1], [1, 1], [1, 1]],
  "4:2:2": [[2, 1], [1, 1], [1, 1]],
  "4:2:0": [[2, 2], [1, 1], [1, 1]],
  "4:1:1": [[4, 1], [1, 1], [1, 1]],
} as const; // prettier-ignore

/** Decodes in full by libjpeg-turbo, and resizes in floating point without intermediate rounding. */
async function exactResize(file: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const full = await sharp(file).metadata();
  return resizeExactly(await decodeBySharp(file, 3), { ...full, channels: 3 }, { width, height });
}

describe("decodes at every scale", () => {
  for (const [name, sampling] of Object.entries(YCC)) {
    test(`${name}, sequential, planes and progressive alike`, async () => {
      const picture = makePicture(613, 411, sampling, { grain: 12, contrast: 0.4 });
      const sequential = writeJpeg(picture, { restartInterval: 9 });
      const planes = writeJpeg(picture, { scans: [{ components: [0] }, { components: [1, 2] }] });
      const progressive = writeJpeg(picture, { frameMarker: 0xc2, scans: progression(3) });
      for (const [width, height] of [
        [613, 206],
        [500, 335],
        [306, 205],
        [150, 101],
        [75, 50],
        [41, 27],
        [9, 6],
        [1, 1],
      ] as const) {
        const ours = await decode(sequential, { out: { width, height } });
        const theirs = await exactResize(sequential, width, height);
        expect(psnr(ours.pixels, theirs)).toBeGreaterThan(name === "4:1:1" ? MIN_PSNR_REPEATED : MIN_PSNR);
        for (const file of [planes, progressive]) {
          const { pixels } = await decode(file, { out: { width, height } });
          expect(Buffer.compare(pixels, ours.pixels)).toBe(0);
        }
      }
    });
  }

  test("a scale averages blocks: flat pictures stay flat at any size", async () => {
    const white = sharp({ create: { width: 200, height: 120, channels: 3, background: "#ffffff" } });
    for (const progressive of [false, true]) {
      const file = await white.jpeg({ progressive }).toBuffer();
      for (const width of [200, 199, 130, 64, 31, 12, 3]) {
        const { pixels } = await decode(file, { out: { width, height: Math.ceil(width * 0.6) } });
        expect(pixels.every((value) => value === 255)).toBe(true);
      }
    }
  });

  test("progressive files take coarser scales when the memory is short", async () => {
    const picture = makePicture(800, 600, YCC["4:2:0"], { grain: 5 });
    const file = writeJpeg(picture, { frameMarker: 0xc2, scans: progression(3) });
    const out = { width: 390, height: 292 };
    const ample = await decode(file, { out });
    const short = await decode(file, { out, memoryBudgetBytes: 900_000 });
    expect(short.peakBytes).toBeLessThan(900_000);
    expect(ample.peakBytes).toBeGreaterThan(900_000);
    expect(psnr(short.pixels, ample.pixels)).toBeGreaterThan(30);
    await expect(decode(file, { out, memoryBudgetBytes: 400_000 })).rejects.toMatchObject({
      code: "OUT_OF_MEMORY",
    });
  });
});

test("a block with a DC coefficient alone is what the whole transform makes of it", async () => {
  const out = { width: 64, height: 64 };
  const filesOf = (beyond: number): Uint8Array[] => {
    // Every DC level that 8 bits allow. The eleventh coefficient is outside of what half the size uses.
    const picture = makePicture(256, 256, [[1, 1]]);
    const { coefficients } = picture.components[0]!;
    coefficients.fill(0);
    for (let block = 0; block < 1024; block++) {
      coefficients[64 * block] = block - 512;
      coefficients[64 * block + 10] = beyond;
    }
    return [writeJpeg(picture), writeJpeg(picture, { frameMarker: 0xc2, scans: progression(1) })];
  };
  const whole = filesOf(1);
  for (const [i, file] of filesOf(0).entries()) {
    const { pixels } = await decode(file, { out });
    expect(pixels).toEqual((await decode(whole[i]!, { out })).pixels);
  }
});
