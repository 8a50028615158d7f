import type { PngEncoderPlan } from "../../../image/formats/png/encoding.ts";
import { workspaceOf } from "../../streams/build-context.ts";
import { inParts } from "../../streams/parts.ts";
import { embeddedBy } from "../../metadata/embedded.ts";
import type { StillEncoder } from "../codec.ts";
import { embedInPng } from "./embed.ts";
import { encodePng } from "./encoder.ts";

export const encodePngVariant: StillEncoder<PngEncoderPlan> = (context, rows, { effort }) =>
  inParts(
    context.memory,
    embedInPng(encodePng(workspaceOf(context, "rowCodec"), rows, effort), embeddedBy(context.plan)),
  );
