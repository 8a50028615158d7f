/** What bringing a picture to sRGB takes (src/builder/colour), where it states its colours or is CMYK. */
import type { MasterFacts } from "../model/facts.ts";
import type { VariantSpec } from "../model/variant.ts";

/** Tables of 33^3 and of 17^4 nodes of three 16-bit values. A matrix needs 6 KB, but which it is is not known yet. */
const TABLE_BYTES = { light: 215_622, ink: 501_126 } as const;
/** What profiles take: those of cameras and screens 0.5 to 4 KB, with tables up to 0.5 MB; those of presses more. */
const PROFILE_BYTES = { light: 524_288, ink: 1_572_864 } as const;
/** Laying the tables, and converting a pixel that comes out. */
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
