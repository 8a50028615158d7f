import type { AvifEncoderPlan } from "../../../image/formats/avif/encoding.ts";
import { workspaceOf } from "../../streams/build-context.ts";
import { heldParts } from "../../streams/parts.ts";
import { embeddedBy } from "../../metadata/embedded.ts";
import type { StillEncoder } from "../codec.ts";
import { encodeAvifRows } from "./row-encoder.ts";

export const encodeAvifVariant: StillEncoder<AvifEncoderPlan> = async function* (context, rows, { options }) {
  const { memory } = context;
  const keep = (output: Uint8Array): Uint8Array<ArrayBuffer> => memory.keepCopy(output);
  const pieces = await encodeAvifRows(
    workspaceOf(context, "rowCodec"),
    rows,
    options,
    keep,
    embeddedBy(context.plan),
  );
  memory.countArena();
  return yield* heldParts(memory, pieces);
};
