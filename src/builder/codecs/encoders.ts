/**
 * The registry of encoders, by the names that plans give them. The names follow from the registry of encoding
 * (src/image/formats/encodings.ts), so the compiler names an encoder that is missing here.
 */
import type { AnimationEncoderPlan, StillEncoderPlan } from "../../image/formats/encodings.ts";
import { encodeAvifVariant } from "./avif/variant.ts";
import type { OpenWriter, StillEncoder } from "./codec.ts";
import { GifWriter } from "./gif/animation-writer.ts";
import { encodeJpegVariant } from "./jpeg/variant.ts";
import { encodePngVariant } from "./png/variant.ts";
import { WebpWriter } from "./webp/animation-writer.ts";
import { encodeWebpVariant } from "./webp/variant.ts";

const STILL_ENCODERS: {
  readonly [Name in StillEncoderPlan["name"]]: StillEncoder<Extract<StillEncoderPlan, { name: Name }>>;
} = {
  "jpeg-rows": encodeJpegVariant,
  "png-rows": encodePngVariant,
  "webp-rows": encodeWebpVariant,
  "avif-rows": encodeAvifVariant,
};

const WRITERS: {
  readonly [Name in AnimationEncoderPlan["name"]]: OpenWriter<Extract<AnimationEncoderPlan, { name: Name }>>;
} = {
  gif: (context, plan, stage, current) => new GifWriter(context, plan, stage, current),
  webp: (context, plan, stage, current) => new WebpWriter(context, plan, stage, current),
};

/** Encodes a still with the encoder that the plan names. */
export const encodeWith: StillEncoder<StillEncoderPlan> = (context, rows, plan) =>
  (STILL_ENCODERS[plan.name] as StillEncoder<StillEncoderPlan>)(context, rows, plan);

/** Opens the encoder of animations that the plan names. */
export const openWriter: OpenWriter<AnimationEncoderPlan> = (context, plan, stage, current) =>
  (WRITERS[plan.name] as OpenWriter<AnimationEncoderPlan>)(context, plan, stage, current);
