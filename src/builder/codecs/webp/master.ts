import type { WebpDecoderPlan } from "../../../image/formats/webp/decoding.ts";
import { factsOf, type MasterDecoder, type OpenFrames } from "../codec.ts";
import { WebpReader } from "./animation-reader.ts";
import { decodeWebp } from "./still.ts";

export const decodeWebpMaster: MasterDecoder<WebpDecoderPlan> = (context, _plan, { crop }) =>
  decodeWebp(context, factsOf(context, "webp"), crop);

export const openWebp: OpenFrames = (context, stage, canvas) => new WebpReader(context, stage, canvas);
