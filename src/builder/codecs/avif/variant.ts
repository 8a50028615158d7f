import type { AvifEncoderPlan } from "../../../image/formats/avif/encoding.ts";
import { workspaceOf } from "../../streams/build-context.ts";
import { heldParts } from "../../streams/parts.ts";
import type { StillEncoder } from "../codec.ts";
import { encodeAvifRows } from "./row-encoder.ts";

export const encodeAvifVariant: StillEncoder<AvifEncoderPlan> = async function* (context, rows, { options }) {
  const { memory } = context;
  const keep = (output: Uint8Array): Uint8Array<ArrayBuffer> => memory.keepCopy(output);
  const pieces = await encodeAvifRows(workspaceOf(context, "rowCodec"), rows, options, keep);
  memory.countArena();
  return yield* heldParts(memory, pieces);
};
