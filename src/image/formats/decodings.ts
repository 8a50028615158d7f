/** The registry of decoding: the properties of the decoders of each format of masters that plans need. */
import type { FactsOf, MasterFacts, Orientation } from "../model/facts.ts";
import { avifDecoding } from "./avif/decoding.ts";
import type { MasterDecoding } from "./decoding.ts";
import { gifDecoding } from "./gif/decoding.ts";
import { jpegDecoding } from "./jpeg/decoding.ts";
import { pngDecoding } from "./png/decoding.ts";
import type { FORMATS, MasterFormat } from "./registry.ts";
import { svgDecoding } from "./svg/decoding.ts";
import { webpDecoding } from "./webp/decoding.ts";

const DECODINGS = {
  jpeg: jpegDecoding,
  png: pngDecoding,
  gif: gifDecoding,
  webp: webpDecoding,
  avif: avifDecoding,
  svg: svgDecoding,
} as const satisfies { readonly [F in MasterFormat]: DecodingOf<F> };

/** A format whose descriptor says that it reads frames must have a reader, and no other may have one. */
type DecodingOf<F extends MasterFormat> = MasterDecoding<
  FactsOf<F>,
  { name: string },
  (typeof FORMATS)[F]["master"]["readsFrames"] extends true ? string : null
>;

type Decodings = (typeof DECODINGS)[MasterFormat];

/**
 * The choice of the decoder that reads the master, and its settings. Decoders hand out rows as stored, unless
 * `orientationOfRows` is 1.
 */
export type DecoderPlan = ReturnType<Decodings["decode"]>["decoder"];

/** The names of the readers of animations. */
export type FrameReaderName = NonNullable<Decodings["frames"]>["name"];

type AnyDecoding = MasterDecoding<MasterFacts, DecoderPlan, FrameReaderName | null>;

/** Returns the entry for the format of these facts. */
export const decodingOf = ({ format }: MasterFacts): AnyDecoding =>
  // The entry takes the facts of its own format, which its callers pass again.
  DECODINGS[format];

/** Returns the orientation of the rows that the decoder hands out: 1 when it turns them itself. */
export const orientationOfRows = (facts: MasterFacts): Orientation =>
  decodingOf(facts).turnsRows(facts) ? 1 : facts.orientation;
