import { encode } from "../../image/colour/srgb.ts";

/** Steps of light in LIGHT_TO_BYTE. From one to the next, sRGB rises by at most 0.2 of an 8-bit step. */
export const LIGHT_STEPS = 16_384;

/** Light, in LIGHT_STEPS, to sRGB's 8 bits. */
export const LIGHT_TO_BYTE: Uint8Array = Uint8Array.from({ length: LIGHT_STEPS + 1 }, (_, i) =>
  Math.round(255 * encode(i / LIGHT_STEPS)),
);
