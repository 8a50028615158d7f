/** Pictures like drawings and screenshots: few colours, sharp edges, small marks like letters. */
import type { Picture } from "../harness/png-rows.ts";
import { CHANNELS_OF } from "../../src/image/memory/rows.ts";
import { grain } from "./webp-rows-pictures.ts";

/** Side of a cell, which has a ground and marks in other colours. */
const CELL = 24;

/** Returns a number from 0 up to `count`, the same for the same place. */
const pick = (x: number, y: number, salt: number, count: number): number =>
  Math.min(count - 1, Math.floor((grain(x, y, 2 * salt) + 1) * 0.5 * count));

/** Returns the number of the colour at (x, y). Half of the cells are plain, the others have marks of a few pixels. */
function colourAt(x: number, y: number, colours: number): number {
  const [column, row] = [Math.floor(x / CELL), Math.floor(y / CELL)];
  const ground = pick(column >> 1, row >> 1, 1, colours);
  if (pick(column, row, 2, 2) === 0) return ground;
  const isMark = pick(x >> 1, y >> 2, 3, 5) === 0;
  return isMark ? pick(x >> 1, y >> 2, 4, colours) : ground;
}

/** @param colours how many there are at most, spread over the whole range */
export function palettePicture(
  width: number,
  height: number,
  colours: number,
  layout: Picture["layout"] = "rgb",
): Picture {
  const channels = CHANNELS_OF[layout];
  const data = new Uint8Array(width * height * channels);
  for (let i = 0; i < data.length; i++) {
    const [channel, pixel] = [i % channels, Math.floor(i / channels)];
    const colour = colourAt(pixel % width, Math.floor(pixel / width), colours);
    data[i] =
      channel === 0 ? (colour * 255) / (colours - 1) : 255 * (0.5 + 0.5 * grain(colour, 7, 2 * channel));
  }
  return { width, height, layout, data };
}
