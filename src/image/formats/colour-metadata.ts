/** The colour metadata of a master. Decoders ignore it, and the probe only notes that it exists. */
import type { CodePoints } from "../model/code-points.ts";
import type { StatedGamma } from "../colour/stated-gamma.ts";

export interface ColourMetadata {
  icc?: Uint8Array;
  /** The content of a PNG's iCCP chunk, still compressed. */
  iccChunk?: Uint8Array;
  codePoints?: CodePoints;
  /** The values of a PNG's gAMA and cHRM chunks. */
  gamma?: StatedGamma;
}
