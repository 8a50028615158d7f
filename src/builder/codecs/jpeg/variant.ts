import type { JpegEncoderPlan } from "../../../image/formats/jpeg/encoding.ts";
import { workspaceOf } from "../../streams/build-context.ts";
import { inParts } from "../../streams/parts.ts";
import { embeddedBy } from "../../metadata/embedded.ts";
import type { StillEncoder } from "../codec.ts";
import { embedInJpeg } from "./embed.ts";
import { encodeJpeg } from "./encoder.ts";

export const encodeJpegVariant: StillEncoder<JpegEncoderPlan> = (context, rows, { options }) =>
  inParts(
    context.memory,
    embedInJpeg(encodeJpeg(workspaceOf(context, "rowCodec"), rows, options), embeddedBy(context.plan)),
  );
