import type { WebpDecoderPlan } from "../../../image/formats/webp/decoding.ts";
import { cropRows } from "../../pixels/crop-rows.ts";
import { factsOf, type MasterDecoder, type OpenFrames } from "../codec.ts";
import { WebpReader } from "./animation-reader.ts";
import { decodeWebpInRows, decodeWebpWhole } from "./still.ts";

export const decodeWebpMaster: MasterDecoder<WebpDecoderPlan> = async (context, { name }, { crop }) => {
  const facts = factsOf(context, "webp");
  if (name === "libwebp") return decodeWebpWhole(context, facts, crop);
  const rows = await decodeWebpInRows(context, facts);
  return crop ? cropRows(rows, crop) : rows;
};

export const openWebp: OpenFrames = (context, stage, canvas) => new WebpReader(context, stage, canvas);
