/** The memory and time of the conversion to sRGB (src/builder/colour), for a master that states its colour space or is CMYK. */
import type { MasterFacts } from "../model/facts.ts";
import type { VariantSpec } from "../model/variant.ts";

/**
 * Lookup tables: 33^3 nodes for RGB and gray ("light"), 17^4 nodes for CMYK ("ink"), of three 16-bit values each. A
 * profile that is a matrix needs only 6 KB, but the plan does not know which kind it is.
 */
const TABLE_BYTES = { light: 215_622, ink: 501_126 } as const;
/** Sizes of profiles: 0.5 to 4 KB for cameras and screens, up to 0.5 MB with tables; more for printing presses. */
const PROFILE_BYTES = { light: 524_288, ink: 1_572_864 } as const;
/** Time to compute the tables (`fixed`), and to convert one pixel of the output. */
const NANOSECONDS = {
  light: { fixed: 3_000_000, pixel: 10 },
  ink: { fixed: 60_000_000, pixel: 45 },
} as const;

const kindOf = ({ colour }: MasterFacts): "light" | "ink" => (colour === "cmyk" ? "ink" : "light");
const isConverted = ({ colour, profile }: MasterFacts): boolean => profile !== "none" || colour === "cmyk";

export function colourBytes(facts: MasterFacts, sourceBytes: number): number {
  if (!isConverted(facts)) return 0;
  const kind = kindOf(facts);
  const profile = facts.profile === "icc" ? Math.min(sourceBytes, PROFILE_BYTES[kind]) : 0;
  return TABLE_BYTES[kind] + profile;
}

export function colourNanoseconds(facts: MasterFacts, { width, height }: VariantSpec): number {
  if (!isConverted(facts)) return 0;
  const { fixed, pixel } = NANOSECONDS[kindOf(facts)];
  return fixed + pixel * width * height;
}
