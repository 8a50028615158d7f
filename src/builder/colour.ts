/** The step from the master's samples to sRGB. Profiles are not read yet; CMYK is brought to RGB by its inks. */
import type { RowSource } from "./rows/row-source.ts";

type Layout = RowSource["layout"];
/** Turns rows into rows of another layout, in place, and answers how many bytes there are then. */
type Convert = (rows: Uint8Array) => number;

export function toSrgb(source: RowSource): RowSource {
  return source.layout === "cmyk" ? new ConvertedRows(source, "rgb", inksToLight) : source;
}

/** The picture on white, for a format without alpha. */
export function flatten(source: RowSource): RowSource {
  if (source.layout === "rgba") return new ConvertedRows(source, "rgb", (rows) => onWhite(rows, 3));
  if (source.layout === "gray-alpha") return new ConvertedRows(source, "gray", (rows) => onWhite(rows, 1));
  return source;
}

class ConvertedRows implements RowSource {
  readonly width: number;
  readonly height: number;
  readonly layout: Layout;
  readonly #source: RowSource;
  readonly #convert: Convert;

  constructor(source: RowSource, layout: Layout, convert: Convert) {
    this.width = source.width;
    this.height = source.height;
    this.layout = layout;
    this.#source = source;
    this.#convert = convert;
  }

  async next(): Promise<Uint8Array | null> {
    const rows = await this.#source.next();
    return rows && rows.subarray(0, this.#convert(rows));
  }
}

/** CMYK, 0 for no ink, to RGB. */
function inksToLight(rows: Uint8Array): number {
  let to = 0;
  for (let from = 0; from < rows.length; from += 4) {
    const light = 255 - (rows[from + 3] as number);
    for (let c = 0; c < 3; c++) rows[to++] = (((255 - (rows[from + c] as number)) * light + 127) / 255) | 0;
  }
  return to;
}

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
