/** The look that a quality promises. */
import type { Quality } from "./variant.ts";

/**
 * The SSIMULACRA 2 that a thorough variant of a photograph has, against the same pixels without loss. Null where the
 * best that the encoder has is wanted, and not a look.
 */
export const PROMISED_LOOK: Record<Quality, number | null> = { 80: 75, 90: 84, 95: 88, 100: null };
