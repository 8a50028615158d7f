import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { isDisplayP3, toSrgb } from "../../../src/console/heic/colour.ts";

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../fixtures/heic/${name}.heic`, import.meta.url));
const nclx = (primaries: number): Buffer =>
  Buffer.from(`....colrnclx\0${String.fromCharCode(primaries)}\0\0`, "latin1");

describe("isDisplayP3", () => {
  it("knows the profile of a file by its red", () => {
    expect(isDisplayP3(fixture("display-p3"))).toBe(true);
    expect(isDisplayP3(fixture("srgb"))).toBe(false);
  });

  it("knows the numbers of ITU-T H.273", () => {
    expect(isDisplayP3(nclx(12))).toBe(true);
    expect(isDisplayP3(nclx(1))).toBe(false);
  });

  it("takes a damaged file for sRGB", () => {
    const file = fixture("display-p3");
    const profile = file.indexOf("colrprof");
    for (let end = profile; end < profile + 300; end += 7)
      expect(isDisplayP3(file.subarray(0, end))).toBe(false);
    expect(isDisplayP3(new Uint8Array())).toBe(false);
  });
});

describe("toSrgb", () => {
  it("shows the same colours, as near as 8 bits say them", async () => {
    const colours = [220, 40, 40, 255, 40, 200, 60, 128, 50, 70, 220, 0, 128, 128, 128, 255, 8, 5, 3, 255];
    const raw = { width: 5, height: 1, channels: 4 as const };
    const png = await sharp(Buffer.from(colours), { raw }).withIccProfile("p3").png().toBuffer();
    // Its values as they are stored, without their profile.
    const stored = new Uint8ClampedArray(await sharp(png).keepIccProfile().raw().toBuffer());
    toSrgb(stored);
    for (const [at, value] of colours.entries())
      expect(Math.abs((stored[at] ?? -9) - value)).toBeLessThanOrEqual(2);
    expect([3, 7, 11].map((at) => stored[at])).toEqual([255, 128, 0]);
  });

  it("clips what sRGB lacks", () => {
    const green = new Uint8ClampedArray([0, 255, 0, 255]);
    toSrgb(green);
    expect([...green]).toEqual([0, 255, 0, 255]);
  });
});
