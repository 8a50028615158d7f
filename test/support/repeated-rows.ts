import type { RowSource } from "../../src/builder/pixels/row-source.ts";
import type { Picture } from "../../scripts/harness/png-rows.ts";

/** Returns rows that repeat a band of a picture, so that a large one need not be held. */
export function repeated(band: Picture, height: number): RowSource {
  const { width, layout, data } = band;
  let given = 0;
  return {
    width,
    height,
    layout,
    next() {
      const rows = Math.min(band.height, height - given);
      given += rows;
      return Promise.resolve(rows > 0 ? data.subarray(0, (rows * data.length) / band.height) : null);
    },
  };
}
