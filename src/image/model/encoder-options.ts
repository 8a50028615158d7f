/** What an encoder is told, as plain numbers. The tables by quality are in src/image/formats/{jpeg,webp,avif}/encoder-options.ts. */

/** Chroma at full resolution, or at half of it across and down. */
export type Chroma = "420" | "444";

/** The settings of an encoder of jSquash, by its own names. */
export type EncoderOptions = Readonly<Record<string, number>>;
