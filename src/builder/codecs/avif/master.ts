import type { AvifDecoderPlan } from "../../../image/formats/avif/decoding.ts";
import { factsOf, type MasterDecoder } from "../codec.ts";
import { decodeGrid } from "./grid-reader.ts";
import { decodeLibaom } from "./libaom.ts";

export const decodeAvifMaster: MasterDecoder<AvifDecoderPlan> = (
  context,
  { name },
  { canvasBytes, crop },
) => {
  const facts = factsOf(context, "avif");
  return name === "libaom-grid"
    ? decodeGrid(context, facts, canvasBytes, crop)
    : decodeLibaom(context, facts, crop);
};
