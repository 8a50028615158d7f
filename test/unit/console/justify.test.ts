import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { justify, rowsBetween } from "../../../src/console/media/justify.ts";

const OPTIONS = { width: 1000, target: 200, gap: 10, below: 40, minWidth: 80 };

describe("justify", () => {
  it("fills every row but the last to the pixel, in order, and none overlap", () => {
    const ratios = fc.array(fc.double({ min: 0.05, max: 20, noNaN: true }), { maxLength: 60 });
    fc.assert(
      fc.property(ratios, fc.integer({ min: 200, max: 4000 }), (shapes, width) => {
        const { rows, height } = justify(shapes, { ...OPTIONS, width });
        expect(rows.flatMap(({ tiles }) => tiles.map(({ index }) => index))).toEqual(
          shapes.map((_, at) => at),
        );
        let previous = { top: -50, height: 0 };
        rows.forEach(({ top, height: own, tiles }, at) => {
          const end = Math.max(...tiles.map(({ left, width: tileWidth }) => left + tileWidth));
          expect(end).toBeLessThanOrEqual(width);
          if (at < rows.length - 1) expect(end).toBe(width);
          for (const { width: tileWidth } of tiles) expect(tileWidth).toBeGreaterThan(0);
          expect(top).toBe(previous.top + previous.height + 50);
          previous = { top, height: own };
          expect(own).toBeGreaterThan(0);
        });
        expect(height).toBe(Math.max(0, previous.top + previous.height + OPTIONS.below));
      }),
    );
  });

  it("keeps the shapes of usual pictures", () => {
    const { rows } = justify([1.5, 1.5, 1.5, 1, 0.75], OPTIONS);
    for (const { tiles, height } of rows) {
      for (const { index, width } of tiles) {
        expect(Math.abs(width / height - ([1.5, 1.5, 1.5, 1, 0.75][index] ?? 0))).toBeLessThan(0.03);
      }
    }
  });

  it("lays out ten thousand pictures and finds the rows on screen", () => {
    const layout = justify(
      Array.from({ length: 10_000 }, (_, at) => 0.6 + (at % 7) * 0.25),
      OPTIONS,
    );
    const shown = rowsBetween(layout, 50_000, 51_000);
    expect(shown.length).toBeGreaterThan(2);
    expect(shown.length).toBeLessThan(10);
    const all = layout.rows.filter(({ top, height }) => top <= 51_000 && top + height >= 50_000);
    expect(shown).toEqual(all);
  });
});
