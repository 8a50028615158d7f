/** Copies tiles out of the canvas in the form that the encoder takes: 4 bytes per pixel, red first, opaque. */
import type { RowSource } from "../../pixels/row-source.ts";

type Layout = RowSource["layout"];

export interface TileCopy {
  left: number;
  top: number;
  width: number;
  height: number;
  /** Colour, or alpha as a gray picture. */
  plane: "colour" | "alpha";
}

interface Samples {
  bytes: number;
  red: number;
  green: number;
  blue: number;
  alpha: number | null;
}

const SAMPLES: Record<Layout, Samples> = {
  gray: { bytes: 1, red: 0, green: 0, blue: 0, alpha: null },
  "gray-alpha": { bytes: 2, red: 0, green: 0, blue: 0, alpha: 1 },
  rgb: { bytes: 3, red: 0, green: 1, blue: 2, alpha: null },
  rgba: { bytes: 4, red: 0, green: 1, blue: 2, alpha: 3 },
  // The canvas holds sRGB, so this layout does not occur.
  cmyk: { bytes: 4, red: 0, green: 1, blue: 2, alpha: null },
};

const OPAQUE = 255;

/** Whether any pixel of the canvas is not opaque. */
export function isTransparent(canvas: Uint8Array, layout: Layout): boolean {
  const { bytes, alpha } = SAMPLES[layout];
  if (alpha === null) return false;
  for (let at = alpha; at < canvas.length; at += bytes) if (canvas[at] !== OPAQUE) return true;
  return false;
}

export function copyTile(
  canvas: Uint8Array,
  layout: Layout,
  canvasWidth: number,
  { left, top, width, height, plane }: TileCopy,
  into: Uint8Array,
): void {
  const samples = SAMPLES[layout];
  const gray = plane === "alpha" ? (samples.alpha ?? 0) : null;
  const [red, green, blue] = [gray ?? samples.red, gray ?? samples.green, gray ?? samples.blue];
  let to = 0;
  for (let y = top; y < top + height; y++) {
    let from = (y * canvasWidth + left) * samples.bytes;
    for (let x = 0; x < width; x++, from += samples.bytes) {
      into[to++] = canvas[from + red]!;
      into[to++] = canvas[from + green]!;
      into[to++] = canvas[from + blue]!;
      into[to++] = OPAQUE;
    }
  }
}
