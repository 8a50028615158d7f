/** The layouts of pixels on their way through a build. */
import type { MasterFacts } from "../model/facts.ts";
import { pngLayoutOf } from "../formats/png/memory.ts";
import type { RowLayout } from "../memory/rows.ts";
import type { VariantSpec } from "../model/variant.ts";

/** The layout of the rows that a master's decoder hands out. */
export function decodedLayout(facts: MasterFacts): RowLayout {
  switch (facts.format) {
    case "jpeg":
      return facts.colour === "cmyk" ? "cmyk" : facts.colour === "gray" ? "gray" : "rgb";
    case "png":
      return pngLayoutOf(facts.colourType, facts.hasAlpha);
    case "svg":
      return "rgba";
    default:
      return facts.hasAlpha ? "rgba" : "rgb";
  }
}

/** The layout of the rows that the encoder receives: sRGB, and composed on white if the format has no alpha. */
export function encodedLayout(facts: MasterFacts, { format }: VariantSpec): RowLayout {
  const layout = decodedLayout(facts);
  if (layout === "cmyk") return "rgb";
  if (format !== "jpeg") return layout;
  return layout === "rgba" ? "rgb" : layout === "gray-alpha" ? "gray" : layout;
}

/** Decoded samples per pixel. */
export const samplesOf = (facts: Pick<MasterFacts, "colour" | "hasAlpha">): number =>
  (facts.colour === "gray" ? 1 : 3) + (facts.hasAlpha ? 1 : 0);
