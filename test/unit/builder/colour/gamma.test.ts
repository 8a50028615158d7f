/** Colours stated by the chunks gAMA and cHRM of a PNG, which browsers convert and libvips ignores. */
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { build } from "../../../../scripts/harness/builds.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { be } from "../../../../scripts/samples/probe/bytes.ts";
import { chunk, ihdr, pngOf } from "../../../../scripts/samples/probe/png.ts";

const SRGB = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];
/** The same with red and green exchanged. */
const SWAPPED = [0.3127, 0.329, 0.3, 0.6, 0.64, 0.33, 0.15, 0.06];
const gama = (gamma: number): Uint8Array => chunk("gAMA", be(4, Math.round(gamma * 100_000)));
const chrm = (values: number[]): Uint8Array =>
  chunk("cHRM", ...values.map((value) => be(4, Math.round(value * 100_000))));
const damaged = (bytes: Uint8Array): Uint8Array => bytes.with(-1, bytes.at(-1) ^ 1);

/** Returns what pixels of 16, 128 and 240 become behind these chunks. */
async function becomes(...chunks: Uint8Array[]): Promise<number[]> {
  const idat = chunk("IDAT", deflateSync(Uint8Array.of(0, 16, 128, 240)));
  const file = Buffer.from(pngOf(ihdr(1, 1), chunks, idat));
  const { data } = await sharp((await build(file, { format: "png" })).bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data];
}
const PLAIN = [16, 128, 240];
const near = (actual: number[], wanted: number[]): void =>
  actual.forEach((value, i) => expect(Math.abs(value - wanted[i]!), String(actual)).toBeLessThanOrEqual(1));

describe("a gamma", () => {
  it("is converted: samples that are light itself become brighter, as Chromium shows them", async () => {
    // The sRGB values of 16/255, 128/255 and 240/255 of light (IEC 61966-2-1).
    near(await becomes(gama(1)), [71, 188, 248]);
    // 1 / 1.8 was that of the Macintosh.
    near(await becomes(gama(1 / 1.8)), [20, 146, 243]);
  });

  it("that is that of sRGB, or nobody's, changes nothing", async () => {
    for (const gamma of [0.45455, 0.44, 0, 30]) expect(await becomes(gama(gamma)), `${gamma}`).toEqual(PLAIN);
    expect(await becomes(damaged(gama(1)))).toEqual(PLAIN);
    expect(await becomes(chunk("gAMA", 0, 0, 1))).toEqual(PLAIN);
  });

  it("gives way to sRGB, and to a profile", async () => {
    expect(await becomes(gama(1), chunk("sRGB", 0))).toEqual(PLAIN);
    const profile = (...chunks: Uint8Array[]) => probe(pngOf(ihdr(), chunks, chunk("IDAT", 1))).profile;
    expect(profile(gama(1))).toBe("gamma");
    expect(profile(gama(1), chunk("iCCP", "name\0\0x"))).toBe("icc");
    expect(profile(gama(1), chunk("cICP", 1, 13, 0, 1))).toBe("none");
    expect(profile(gama(1), chunk("cICP", 9, 16, 0, 1))).toBe("cicp");
  });
});

describe("chromaticities", () => {
  it("are converted", async () => {
    near(await becomes(gama(0.45455), chrm(SWAPPED)), [128, 16, 240]);
    near(await becomes(chrm(SWAPPED)), [128, 16, 240]);
  });

  it("that are those of sRGB, or of no colour space, change nothing", async () => {
    expect(await becomes(chrm(SRGB))).toEqual(PLAIN);
    expect(await becomes(chrm(SRGB.map(() => 0.3)))).toEqual(PLAIN);
    expect(await becomes(chrm(SRGB.with(3, 0)))).toEqual(PLAIN);
    expect(await becomes(damaged(chrm(SWAPPED)))).toEqual(PLAIN);
  });
});
