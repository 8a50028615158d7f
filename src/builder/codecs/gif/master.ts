import type { GifDecoderPlan } from "../../../image/formats/gif/decoding.ts";
import { factsOf, type MasterDecoder, type OpenFrames } from "../codec.ts";
import { GifReader } from "./animation-reader.ts";
import { decodeGif } from "./still.ts";

export const decodeGifMaster: MasterDecoder<GifDecoderPlan> = (context, { bufferBytes }, { crop }) => {
  context.memory.meter.hold("buffers").set(bufferBytes);
  return decodeGif(context, factsOf(context, "gif"), crop);
};

export const openGif: OpenFrames = (context, _stage, canvas) => GifReader.open(context, canvas);
