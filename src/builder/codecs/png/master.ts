import type { PngDecoderPlan } from "../../../image/formats/png/decoding.ts";
import { cropRows } from "../../pixels/crop-rows.ts";
import { arenaWorkspace } from "../../streams/build-context.ts";
import { factsOf, type MasterDecoder, type OpenFrames } from "../codec.ts";
import { ApngReader } from "./apng-reader.ts";
import { decodePng } from "./decoder.ts";
import { decodeSoleFrame } from "./sole-frame.ts";

export const decodePngMaster: MasterDecoder<PngDecoderPlan> = async (context, { sideBySide }, { crop }) => {
  const { arena, meter } = context.memory;
  const { source } = context;
  const facts = factsOf(context, "png");
  const again = sideBySide ? source.readAgain : undefined;
  if (again) meter.hold("buffers").set(sideBySide?.bufferBytes ?? 0);
  const rows = facts.hidesDefault
    ? await decodeSoleFrame(context, facts)
    : await decodePng(arenaWorkspace(context), source.stream, facts, again);
  arena.lent(rows.memoryBytes);
  return crop ? cropRows(rows, crop, () => rows.cancel()) : rows;
};

export const openApng: OpenFrames = (context, _stage, canvas) =>
  new ApngReader(context, canvas, factsOf(context, "png"));
