/** Pictures whose detail runs along rows or columns, as that of letters, lines and charts does. */
import type { Picture } from "../harness/png-rows.ts";
import { CHANNELS_OF } from "../../src/image/memory/rows.ts";

/** Returns a number of 24 bits, the same for the same place. */
const random = (i: number): number => Math.imul(i + 1, 0x9e3779b1) >>> 8;

/** @param sample of (across, along) the stripes, in a channel */
function stripes(
  width: number,
  height: number,
  areUpright: boolean,
  layout: Picture["layout"],
  sample: (across: number, along: number, channel: number) => number,
): Picture {
  const channels = CHANNELS_OF[layout];
  const data = Uint8Array.from({ length: width * height * channels }, (_, i) => {
    const pixel = Math.floor(i / channels);
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    return areUpright ? sample(x, y, i % channels) : sample(y, x, i % channels);
  });
  return { width, height, layout, data };
}

/**
 * Returns cells of 8 x 8 with a bar at any place, whose brightness has up to three waves along the bar, and none across
 * it.
 */
export const bars = (
  width: number,
  height: number,
  areUpright: boolean,
  layout: Picture["layout"] = "gray",
): Picture =>
  stripes(width, height, areUpright, layout, (across, along, channel) => {
    const cell = random((across >> 3) + 64 * (along >> 3) + 4096 * channel);
    if (across % 8 !== cell % 8) return 128;
    const waves = 1 + ((cell >> 3) % 3);
    return 128 + (40 + ((cell >> 8) & 63)) * Math.cos((Math.PI * (2 * (along % 8) + 1) * waves) / 16);
  });

/** Returns strips four times as long as they are thick, each with a brightness and up to three waves of its own. */
export const strips = (
  width: number,
  height: number,
  thickness: number,
  areUpright: boolean,
  layout: Picture["layout"] = "gray",
): Picture =>
  stripes(width, height, areUpright, layout, (across, along, channel) => {
    const length = 4 * thickness;
    const strip = random(Math.floor(across / thickness) + 64 * Math.floor(along / length) + 4096 * channel);
    const waves = 1 + ((strip >> 3) % 3);
    const wave = Math.cos((Math.PI * (2 * (along % length) + 1) * waves) / (2 * length));
    return 96 + ((strip >> 16) & 63) + (20 + ((strip >> 8) & 31)) * wave;
  });
