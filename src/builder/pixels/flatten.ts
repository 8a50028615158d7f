/** Flattens a picture on white, for a format without alpha. */
import type { RowSource } from "./row-source.ts";

export function flatten(source: RowSource): RowSource {
  const { width, height, layout } = source;
  if (layout !== "rgba" && layout !== "gray-alpha") return source;
  const colours = layout === "rgba" ? 3 : 1;
  return {
    width,
    height,
    layout: layout === "rgba" ? "rgb" : "gray",
    next: async () => {
      const rows = await source.next();
      return rows && rows.subarray(0, onWhite(rows, colours));
    },
  };
}

/** Works in place, and returns how many bytes there are then. */
function onWhite(rows: Uint8Array, colours: 1 | 3): number {
  let to = 0;
  for (let from = 0; from < rows.length; from += colours + 1) {
    const alpha = rows[from + colours] as number;
    for (let c = 0; c < colours; c++) {
      rows[to++] = 255 - ((((255 - (rows[from + c] as number)) * alpha + 127) / 255) | 0);
    }
  }
  return to;
}
