import type { JpegDecoderPlan } from "../../../image/formats/jpeg/decoding.ts";
import { arenaWorkspace } from "../../streams/build-context.ts";
import { factsOf, type MasterDecoder } from "../codec.ts";
import { decodeJpeg } from "./decoder.ts";

export const decodeJpegMaster: MasterDecoder<JpegDecoderPlan> = async (context, plan, wanted) => {
  const { to, canvasBytes, crop } = wanted;
  const { arena } = context.memory;
  const { stream } = context.source;
  const budgetBytes = Math.min(plan.budgetBytes, arena.roomBeside(canvasBytes));
  const reading = { ...plan, ...(crop && { crop }) };
  const facts = factsOf(context, "jpeg");
  const rows = await decodeJpeg(arenaWorkspace(context), stream, facts, to, budgetBytes, reading);
  arena.lent(rows.peakBytes());
  return rows;
};
