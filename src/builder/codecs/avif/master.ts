import type { AvifDecoderPlan } from "../../../image/formats/avif/decoding.ts";
import { factsOf, type MasterDecoder } from "../codec.ts";
import { decodeAvif } from "./decode.ts";

export const decodeAvifMaster: MasterDecoder<AvifDecoderPlan> = (context, _plan, { canvasBytes, crop }) =>
  decodeAvif(context, factsOf(context, "avif"), canvasBytes, crop);
