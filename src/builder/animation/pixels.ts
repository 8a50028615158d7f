/** Rows of any layout as pixels of 32 bits: red in the lowest byte, alpha in the highest, not premultiplied. */
import type { RowSource } from "../pixels/row-source.ts";
import { AnimationError } from "./animation.ts";

const OPAQUE = 0xff00_0000;

export function toPixels(row: Uint8Array, layout: RowSource["layout"], pixels: Uint32Array): void {
  const at = (i: number): number => row[i] as number;
  const grey = 0x01_0101;
  switch (layout) {
    case "gray":
      for (let x = 0; x < pixels.length; x++) pixels[x] = OPAQUE | (at(x) * grey);
      return;
    case "gray-alpha":
      for (let x = 0; x < pixels.length; x++) pixels[x] = (at(2 * x + 1) << 24) | (at(2 * x) * grey);
      return;
    case "rgb":
      for (let x = 0, i = 0; x < pixels.length; x++, i += 3) {
        pixels[x] = OPAQUE | (at(i + 2) << 16) | (at(i + 1) << 8) | at(i);
      }
      return;
    case "rgba":
      for (let x = 0, i = 0; x < pixels.length; x++, i += 4) {
        pixels[x] = (at(i + 3) << 24) | (at(i + 2) << 16) | (at(i + 1) << 8) | at(i);
      }
      return;
    case "cmyk":
      throw new AnimationError("Frames have no inks");
  }
}
