import type { WebpEncoderPlan } from "../../../image/formats/webp/encoding.ts";
import { workspaceOf } from "../../streams/build-context.ts";
import { heldParts } from "../../streams/parts.ts";
import { embeddedBy } from "../../metadata/embedded.ts";
import type { StillEncoder } from "../codec.ts";
import { embedInWebp } from "./embed.ts";
import { encodeWebp } from "./encoder.ts";

export const encodeWebpVariant: StillEncoder<WebpEncoderPlan> = async function* (context, rows, { options }) {
  const { memory } = context;
  const keep = (output: Uint8Array): Uint8Array<ArrayBuffer> => memory.keepCopy(output);
  const { chunks } = await encodeWebp(workspaceOf(context, "rowCodec"), rows, { ...options, keep });
  memory.countArena();
  return yield* heldParts(memory, embedInWebp(chunks, rows, embeddedBy(context.plan)));
};
