/** A part of packed pixels, cut out. */
import type { Rect } from "../../src/image/geometry/size.ts";

interface Pixels {
  width: number;
  channels: number;
  data: Uint8Array;
}

export function extract({ width, channels, data }: Pixels, crop: Rect): Uint8Array {
  const rowBytes = crop.width * channels;
  const out = new Uint8Array(crop.height * rowBytes);
  for (let y = 0; y < crop.height; y++) {
    const from = ((crop.top + y) * width + crop.left) * channels;
    out.set(data.subarray(from, from + rowBytes), y * rowBytes);
  }
  return out;
}
