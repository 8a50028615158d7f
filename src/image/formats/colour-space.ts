/** The colour space that the metadata of a master state. */
import { sourceColourSpaceOf } from "../colour/code-points.ts";
import { grayOf, readProfile, type SourceColourSpace } from "../colour/icc-profile.ts";
import { gammaColourSpace } from "../colour/stated-gamma.ts";
import type { ColourProfile } from "../model/facts.ts";
import type { ColourMetadata } from "./colour-metadata.ts";
import type { MasterFormat } from "./registry.ts";

/** A master as far as the meaning of its metadata depends on it. */
export interface ColouredMaster {
  format: MasterFormat;
  profile: ColourProfile;
  /** Values per pixel, without alpha. */
  channels: 1 | 3 | 4;
}

/** Returns the colour space; null if there is none that can be read, so that the samples count as sRGB. */
export function colourSpaceOf(
  { format, profile, channels }: ColouredMaster,
  { icc, codePoints, gamma }: Omit<ColourMetadata, "iccChunk">,
): SourceColourSpace | null {
  if (profile === "cicp") return codePoints ? sourceColourSpaceOf(codePoints) : null;
  if (profile === "gamma") return gamma ? gammaColourSpace(gamma) : null;
  if (!icc) return null;
  const own = readProfile(icc, channels);
  // Both browsers apply a profile of RGB to a gray JPEG or AVIF. Firefox ignores it in a gray PNG, as libpng does.
  if (own || channels !== 1 || format === "png") return own;
  const ofColours = readProfile(icc, 3);
  return ofColours && grayOf(ofColours);
}
