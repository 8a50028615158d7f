/**
 * The registry of decoders, by the names that plans give them. The names follow from the registry of decoding
 * (src/image/formats/decodings.ts), so the compiler names a decoder that is missing here.
 */
import type { DecoderPlan } from "../../image/formats/decodings.ts";
import { decodeAvifMaster } from "./avif/master.ts";
import type { FrameReaders, MasterDecoder } from "./codec.ts";
import { decodeGifMaster, openGif } from "./gif/master.ts";
import { decodeJpegMaster } from "./jpeg/master.ts";
import { decodePngMaster, openApng } from "./png/master.ts";
import { drawSvgMaster } from "./svg/master.ts";
import { decodeWebpMaster, openWebp } from "./webp/master.ts";

const DECODERS: {
  readonly [Name in DecoderPlan["name"]]: MasterDecoder<Extract<DecoderPlan, { name: Name }>>;
} = {
  jpeg: decodeJpegMaster,
  png: decodePngMaster,
  gif: decodeGifMaster,
  vp8: decodeWebpMaster,
  vp8l: decodeWebpMaster,
  av1: decodeAvifMaster,
  resvg: drawSvgMaster,
};

/** Opens a master with the decoder that the plan names. */
export const decodeWith: MasterDecoder<DecoderPlan> = (context, plan, wanted) =>
  (DECODERS[plan.name] as MasterDecoder<DecoderPlan>)(context, plan, wanted);

/** The readers of animations, by the names that plans give them. */
export const FRAME_READERS: FrameReaders = { gif: openGif, webp: openWebp, apng: openApng };
