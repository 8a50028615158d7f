/** The gamut of a variant: the colours that its samples can name. */

/** The space's setting `gamut`: `p3` allows Display P3 for masters that are wider than sRGB (RULES 9.10). */
export const GAMUTS = ["srgb", "p3"] as const;
export type Gamut = (typeof GAMUTS)[number];
