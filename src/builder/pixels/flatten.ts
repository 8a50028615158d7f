/** Composes a picture on a colour: for a format without alpha, or on the background of a request (RULES 5.14). */
import { CHANNELS_OF, type RowLayout } from "../../image/memory/rows.ts";
import { type Colour, isGray, samplesOfColour, WHITE } from "../../image/model/colour.ts";
import type { RowSource } from "./row-source.ts";

/** Returns the rows without alpha: of gray ones, gray if the colour is. Rows without alpha are returned as they are. */
export function flatten(source: RowSource, colour: Colour = WHITE): RowSource {
  const { width, height, layout } = source;
  if (layout !== "rgba" && layout !== "gray-alpha") return source;
  const flat: RowLayout = layout === "gray-alpha" && isGray(colour) ? "gray" : "rgb";
  const from = CHANNELS_OF[layout];
  const to = CHANNELS_OF[flat];
  const ground = samplesOfColour(colour);
  // Gray rows become longer in colour. Others are composed in place.
  let longer = new Uint8Array();
  return {
    width,
    height,
    layout: flat,
    next: async () => {
      const rows = await source.next();
      if (!rows) return null;
      const bytes = (rows.length / from) * to;
      if (to > from && longer.length < bytes) longer = new Uint8Array(bytes);
      const out = to > from ? longer : rows;
      compose(rows, from, out, to, ground);
      return out.subarray(0, bytes);
    },
  };
}

/** Composes pixels of `from` samples, the last of which is alpha, to ones of `to` samples. */
function compose(
  rows: Uint8Array,
  from: number,
  out: Uint8Array,
  to: number,
  ground: readonly number[],
): void {
  const step = from === 2 ? 0 : 1;
  let at = 0;
  for (let pixel = 0; pixel < rows.length; pixel += from) {
    const alpha = rows[pixel + from - 1] as number;
    for (let c = 0; c < to; c++)
      out[at++] = composed(rows[pixel + c * step] as number, alpha, ground[c] as number);
  }
}

const composed = (sample: number, alpha: number, ground: number): number =>
  ((sample * alpha + ground * (255 - alpha) + 127) / 255) | 0;

/** Returns RGBA rows, opaque on the colour. */
export function flattenRgba(source: RowSource, colour: Colour): RowSource {
  const ground = samplesOfColour(colour);
  return {
    ...source,
    next: async () => {
      const rows = await source.next();
      for (let pixel = 0; rows && pixel < rows.length; pixel += 4) {
        const alpha = rows[pixel + 3] as number;
        if (alpha === 255) continue;
        for (let c = 0; c < 3; c++)
          rows[pixel + c] = composed(rows[pixel + c] as number, alpha, ground[c] as number);
        rows[pixel + 3] = 255;
      }
      return rows;
    },
  };
}
