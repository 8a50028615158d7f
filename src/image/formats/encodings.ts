/** The registry of encoding: the properties of the encoders of each format of variants that plans need. */
import { avifEncoding } from "./avif/encoding.ts";
import type { AnimationEncoding, Fitting, StillEncoding, VariantEncoding } from "./encoding.ts";
import { gifEncoding } from "./gif/encoding.ts";
import { jpegEncoding } from "./jpeg/encoding.ts";
import { pngEncoding } from "./png/encoding.ts";
import type { FORMATS, VariantFormat } from "./registry.ts";
import { webpEncoding } from "./webp/encoding.ts";

const ENCODINGS = {
  jpeg: jpegEncoding,
  png: pngEncoding,
  gif: gifEncoding,
  webp: webpEncoding,
  avif: avifEncoding,
} satisfies { readonly [F in VariantFormat]: VariantEncoding<HoldsFrames<F>> };

/** A format whose descriptor says that it holds frames must have an encoder of animations, and no other may have one. */
type HoldsFrames<F extends VariantFormat> = (typeof FORMATS)[F]["variant"]["holdsFrames"];

type Encodings = (typeof ENCODINGS)[VariantFormat];

/** The choice of the encoder of a still, and its settings. */
export type StillEncoderPlan = ReturnType<NonNullable<Encodings["still"]>["plan"]>;

/** The choice of the encoder of an animation, and its settings. */
export type AnimationEncoderPlan = ReturnType<NonNullable<Encodings["animation"]>["plan"]>;

/** Returns the encoder of stills in this format; null if stills are written as animations. */
export const stillEncodingOf = (format: VariantFormat): StillEncoding<StillEncoderPlan> | null =>
  ENCODINGS[format].still;

/** Returns the encoder of animations in this format; null if the format keeps no frames. */
export const animationEncodingOf = (format: VariantFormat): AnimationEncoding<AnimationEncoderPlan> | null =>
  ENCODINGS[format].animation;

const FITTINGS: { readonly [Name in StillEncoderPlan["name"]]: Fitting<StillEncoderPlan> | null } = {
  "jpeg-rows": jpegEncoding.still.fitting,
  "webp-rows": webpEncoding.still.fitting,
  "avif-rows": avifEncoding.still.fitting,
  "png-rows": pngEncoding.still.fitting,
};

/** Returns how the encoder that plans name so is fitted to a picture; null if it has no loss. */
export const fittingOf = (name: StillEncoderPlan["name"]): Fitting<StillEncoderPlan> | null =>
  // The entry takes the plans of its own name, which its callers pass again.
  FITTINGS[name];
