/** Chooses the extras of a variant: what its file has beside the pixels of sRGB (RULES 9.9, 9.10). */
import { METADATA } from "../../limits.ts";
import { type VariantFormat, variantTraits } from "../formats/registry.ts";
import type { MetadataSetting } from "./copyright.ts";
import type { MasterFacts } from "./facts.ts";
import type { Gamut } from "./gamut.ts";
import type { Extras } from "./variant.ts";

/** The settings of a space that extras follow from. */
export interface ExtrasSettings {
  readonly metadata: MetadataSetting;
  readonly gamut: Gamut;
}

interface Chosen {
  format: VariantFormat;
  width: number;
  animated: boolean;
}

/** Returns the extras of a variant. Frames of an animation are in sRGB: readers of animations ignore profiles. */
export function extrasOf(
  facts: MasterFacts,
  { metadata, gamut }: ExtrasSettings,
  { format, width, animated }: Chosen,
): Extras {
  const { embeds } = variantTraits(format);
  const isLarge = width >= METADATA.writtenMinWidthPixels;
  const hasRights = embeds && isLarge && metadata === "copyright" && facts.copyright !== undefined;
  return {
    ...(hasRights && { rights: true }),
    ...(embeds && gamut === "p3" && facts.wide && !animated && { gamut: "p3" }),
  };
}
