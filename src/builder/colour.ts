/** The step from the master's samples to sRGB. Profiles are not read yet; CMYK is brought to RGB by its inks. */
import type { RowSource } from "./rows/row-source.ts";

export function toSrgb(source: RowSource): RowSource {
  return source.layout === "cmyk" ? new InkRows(source) : source;
}

/** Rows of inks (0 is none) as rows of light, in place. */
class InkRows implements RowSource {
  readonly width: number;
  readonly height: number;
  readonly layout = "rgb";
  readonly #source: RowSource;

  constructor(source: RowSource) {
    this.width = source.width;
    this.height = source.height;
    this.#source = source;
  }

  async next(): Promise<Uint8Array | null> {
    const rows = await this.#source.next();
    if (!rows) return null;
    let to = 0;
    for (let from = 0; from < rows.length; from += 4) {
      const light = 255 - (rows[from + 3] as number);
      for (let c = 0; c < 3; c++) rows[to++] = (((255 - (rows[from + c] as number)) * light + 127) / 255) | 0;
    }
    return rows.subarray(0, to);
  }
}
