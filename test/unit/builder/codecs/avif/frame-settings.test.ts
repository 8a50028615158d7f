/** The settings for a quantiser index of our own AV1 encoder fit the fields of the header. */
import { describe, expect, it } from "vitest";
import { frameSettings } from "../../../../../src/builder/codecs/avif/frame-settings.ts";

const INDICES = Array.from({ length: 255 }, (_, i) => i + 1);

describe("settings of AV1 frames", () => {
  it.each(["420", "444", "none"] as const)("fit their fields at every index in %s", (chroma) => {
    for (const index of INDICES) {
      const { chromaDc, chromaAc, deblocking } = frameSettings(index, chroma);
      for (const delta of [chromaDc, chromaAc]) {
        expect(Number.isInteger(delta)).toBe(true);
        expect(Math.abs(delta)).toBeLessThan(64);
      }
      expect(deblocking).toBeGreaterThanOrEqual(0);
      expect(deblocking).toBeLessThan(64);
    }
  });

  it("deblock the more, the coarser the quantiser is", () => {
    const levels = INDICES.map((index) => frameSettings(index, "420").deblocking);
    expect(levels).toEqual([...levels].sort((a, b) => a - b));
    expect(levels.at(0)).toBe(0);
    expect(levels.at(-1)).toBeGreaterThan(10);
  });
});
