/** The types of encoder options. Their values for each quality are in formats/{jpeg,webp,avif}/encoder-options.ts. */

/** Chroma subsampling: "444" keeps chroma at full resolution, "420" at half of it in both directions. */
export type Chroma = "420" | "444";

/** The settings of a jSquash encoder, under its own names. */
export type EncoderOptions = Readonly<Record<string, number>>;
