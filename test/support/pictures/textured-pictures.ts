/** Pictures for tests of the resampler. */
import type { RowSource } from "../../../src/builder/pixels/row-source.ts";
import { CHANNELS_OF } from "../../../src/image/memory/rows.ts";
import { type Picture } from "../../../scripts/harness/png-rows.ts";

export type Layout = RowSource["layout"];

/** Draws edges, slopes and fine texture, different in each channel; alpha with soft and hard edges. */
export function somePicture(width: number, height: number, layout: Layout): Picture {
  const channels = CHANNELS_OF[layout];
  const data = new Uint8Array(width * height * channels);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const block = ((x >> 5) + (y >> 4)) & 1 ? 70 : -60;
      for (let c = 0; c < channels; c++) {
        data[i++] =
          128 + block + 40 * Math.sin(x / (3 + c)) * Math.cos(y / (5 - c)) + 20 * Math.sin(x * y * 0.01);
      }
    }
  }
  return { width, height, layout, data };
}
