/**
 * Backgrounds: the ground of a padded picture, and the colour on which transparent pixels are composed (RULES 5.14).
 */
import { type VariantFormat, variantTraits } from "../formats/registry.ts";
import { type Colour, COLOUR, WHITE } from "./colour.ts";
import type { Pad } from "../geometry/pad.ts";
import type { Size } from "../geometry/size.ts";
import type { MasterFacts } from "./facts.ts";

export const TRANSPARENT = "transparent";

/** Reads a background in any case; undefined if it is malformed. */
export function readBackground(text: string): string | undefined {
  const lower = text.toLowerCase();
  return COLOUR.test(lower) || lower === TRANSPARENT ? lower : undefined;
}

/** The properties of a variant that say what is below and beside its picture. */
interface Ground extends Size {
  readonly format: VariantFormat;
  readonly pad?: Pad;
  readonly background?: Colour | null;
}

/** Returns whether the canvas of the variant is larger than its picture. */
export const hasBars = ({ pad, width, height }: Pick<Ground, "pad" | "width" | "height">): boolean =>
  pad !== undefined && (pad.place.width < width || pad.place.height < height);

/**
 * Returns the colour on which a variant in this format is composed, as the variant's name has it: null where it has the
 * format's own background, which is transparent if the format has alpha, and white if not.
 */
export function namedBackground(format: VariantFormat, asked: string | null): Colour | null {
  if (asked === null || asked === TRANSPARENT) return null;
  return !variantTraits(format).hasAlpha && asked === WHITE ? null : asked;
}

/** Returns the colour on which the picture is composed; null if transparent pixels stay so. */
export const groundOf = ({ format, background }: Ground): Colour | null =>
  background ?? (variantTraits(format).hasAlpha ? null : WHITE);

/** Returns whether the pixels of the variant may be transparent. */
export const mayBeTransparent = ({ hasAlpha }: Pick<MasterFacts, "hasAlpha">, spec: Ground): boolean =>
  groundOf(spec) === null && (hasAlpha || hasBars(spec));
