import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isDisplayP3 } from "../../../src/console/heic/colour.ts";

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
