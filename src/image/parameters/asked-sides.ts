/** The sides that a request asks for, in pixels of the file (RULES 5.11). */
import { DELIVERY } from "../../limits.ts";
import type { PictureParameters } from "./parameter.ts";

export type AskedSides = Pick<PictureParameters, "width" | "height">;

/** Returns both sides times the density, rounded up, each at most 8192. */
export function askedSides({
  width,
  height,
  density,
}: AskedSides & Pick<PictureParameters, "density">): AskedSides {
  const times = (side: number | null): number | null =>
    side && Math.min(DELIVERY.widthMaxPixels, Math.ceil((side * (density ?? 100)) / 100));
  return { width: times(width), height: times(height) };
}
