import type { SvgDecoderPlan } from "../../../image/formats/svg/decoding.ts";
import { factsOf, type MasterDecoder } from "../codec.ts";
import { drawSvg } from "./draw.ts";

export const drawSvgMaster: MasterDecoder<SvgDecoderPlan> = (context, plan, { canvasBytes, crop }) => {
  const { drawn, drawsCrop, bandRows, inlinesStyles } = plan;
  const options = { drawn, drawsCrop, bandRows, inlinesStyles, crop, canvasBytes };
  return drawSvg(context, factsOf(context, "svg"), options);
};
