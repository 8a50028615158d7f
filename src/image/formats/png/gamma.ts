/** The chunks gAMA, cHRM and sRGB: PNG 3rd edition sections 11.3.2.1, 11.3.2.2 and 11.3.2.5. */
import { u32be } from "../../bytes/numbers.ts";
import type { StatedGamma } from "../../colour/stated-gamma.ts";

/** The longest of these chunks. */
export const GAMMA_MAX_BYTES = 32;
const UNIT = 100_000;
const LENGTHS = { gAMA: 4, cHRM: GAMMA_MAX_BYTES, sRGB: 1 } as const;
type GammaChunk = keyof typeof LENGTHS;

/** The gamma that sRGB is close to, and how far others may be from it, as in libpng. */
const PLAIN_GAMMA = 1 / 2.2;
const PLAIN_TOLERANCE = 0.05;
/** White, red, green and blue of BT.709, each as x and y. */
const PLAIN_CHROMATICITIES = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];
const CHROMATICITY_TOLERANCE = 0.002;
/** Values that a file may state and its author may mean. */
const [LEAST_GAMMA, LARGEST_GAMMA] = [0.05, 20];

export const isGammaChunk = (type: string): type is GammaChunk => type in LENGTHS;

/** Collects these chunks. The first of each kind counts. */
export class GammaChunks {
  #isSrgb = false;
  #gamma: number | null = null;
  #chromaticities: number[] | null = null;

  /** @param body null for a chunk that is damaged, which is ignored */
  take(type: GammaChunk, body: Uint8Array | null): void {
    if (body?.length !== LENGTHS[type]) return;
    if (type === "sRGB") this.#isSrgb = true;
    else if (type === "gAMA") {
      const gamma = u32be(body, 0) / UNIT;
      if (gamma >= LEAST_GAMMA && gamma <= LARGEST_GAMMA) this.#gamma ??= gamma;
    } else {
      const values = Array.from({ length: 8 }, (_, i) => u32be(body, 4 * i) / UNIT);
      const isUsable = values.every((value, i) => value <= 1 && (value > 0 || i % 2 === 0));
      if (isUsable) this.#chromaticities ??= values;
    }
  }

  /** The colour space; null when the file states none or sRGB. */
  get stated(): StatedGamma | null {
    if (this.#isSrgb) return null;
    const isPlain = this.#gamma === null || Math.abs(this.#gamma / PLAIN_GAMMA - 1) < PLAIN_TOLERANCE;
    const isWide = this.#chromaticities?.some(
      (value, i) => Math.abs(value - PLAIN_CHROMATICITIES[i]!) > CHROMATICITY_TOLERANCE,
    );
    const gamma = isPlain ? null : this.#gamma;
    const chromaticities = isWide ? this.#chromaticities : null;
    return gamma === null && chromaticities === null ? null : { gamma, chromaticities };
  }
}
