/** Pictures of a given number of colours, for tests of codecs without loss. */
import { CHANNELS_OF } from "../../../src/image/memory/rows.ts";
import type { Picture } from "../../../scripts/harness/png-rows.ts";
import { grain } from "../../../scripts/samples/webp-rows-pictures.ts";

/** Returns pixels as red, green, blue and alpha. A fully transparent one has no colour. */
export function shown({ layout, data, width, height }: Picture): Buffer {
  const channels = CHANNELS_OF[layout];
  const isGray = channels < 3;
  const result = Buffer.alloc(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const at = i * channels;
    const alpha = channels % 2 === 0 ? data[at + channels - 1]! : 255;
    for (let c = 0; c < 3; c++) result[4 * i + c] = alpha === 0 ? 0 : data[isGray ? at : at + c]!;
    result[4 * i + 3] = alpha;
  }
  return result;
}

/** Returns a picture of so many colours in no order, in squares of so many pixels. */
export function coloured(
  colours: number,
  width: number,
  height: number,
  square = 1,
  layout: Picture["layout"] = "rgb",
): Picture {
  const channels = CHANNELS_OF[layout];
  const data = new Uint8Array(width * height * channels);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [Math.floor((i % width) / square), Math.floor(Math.floor(i / width) / square)];
    // The first pixels take all colours in turn, so that each occurs.
    const colour = i < colours ? i : Math.floor(((grain(x, y, 0) + 1) / 2) * colours);
    for (let c = 0; c < channels; c++) {
      data[i * channels + c] = Math.imul(colour + 1, [37, 11, 101, 53][c]!) + (colour >> 8) * (c + 1);
    }
  }
  return { width, height, layout, data };
}
