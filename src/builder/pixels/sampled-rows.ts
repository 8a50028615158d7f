/** Parts of a picture, below each other: the sample by which a large picture is judged. */
import type { Rect } from "../../image/geometry/size.ts";
import { CHANNELS_OF } from "../../image/memory/rows.ts";
import type { RowSource } from "./row-source.ts";

/**
 * Returns `parts` of `source`, one below the other; the source itself if the only part covers it.
 * @param parts all of one size, from top to bottom, without a row in common
 */
export function sampledRows(source: RowSource, parts: readonly Rect[]): RowSource {
  const [first] = parts;
  if (!first) throw new RangeError("A sample has at least one part");
  const { width, height } = first;
  if (width === source.width && height === source.height) return source;
  const channels = CHANNELS_OF[source.layout];
  const [rowBytes, partBytes] = [source.width * channels, width * channels];
  let packed = new Uint8Array();
  /** Index of the next row of the source. */
  let y = 0;
  return {
    width,
    height: height * parts.length,
    layout: source.layout,
    async next() {
      for (let rows = await source.next(); rows; rows = await source.next()) {
        if (packed.length < rows.length) packed = new Uint8Array(rows.length);
        let to = 0;
        for (let from = 0; from < rows.length; from += rowBytes, y++) {
          const part = parts.find(({ top }) => y >= top && y < top + height);
          if (!part) continue;
          const at = from + part.left * channels;
          packed.set(rows.subarray(at, at + partBytes), to);
          to += partBytes;
        }
        if (to > 0) return packed.subarray(0, to);
      }
      return null;
    },
  };
}
