/**
 * The plan of an animation. Its memory does not depend on the number of frames, except for the output file: it holds a
 * few whole frames and works on one.
 */
import {
  codedPixels,
  codedSize,
  type FrameBytes,
  type ResamplingPlan,
  storedCrop,
  type Wanted,
} from "../formats/decoding.ts";
import { decodingOf } from "../formats/decodings.ts";
import { type AnimationToEncode, PIXEL_BYTES, type WriterBytes } from "../formats/encoding.ts";
import { animationEncodingOf } from "../formats/encodings.ts";
import { GIF_DECODER_BYTES, GIF_ENCODER_BYTES, gifHeldBytes } from "../formats/gif/memory.ts";
import { variantTraits } from "../formats/registry.ts";
import { type BuildBytes, FRAMES_FLOOR_BYTES, peakOf } from "../memory/isolate.ts";
import { resamplerPeakBytes } from "../memory/resampler.ts";
import { groundOf } from "../model/background.ts";
import type { GifFacts, MasterFacts } from "../model/facts.ts";
import { turned } from "../model/orientation.ts";
import { unpadded, type VariantSpec } from "../model/variant.ts";
import type { AnimationPlan, FrameReaderPlan, SoleFrameReaderPlan } from "./build-plan.ts";
import { colourBytes } from "./cost-colour.ts";
import { colourPlan, extrasBytes, rightsPlan, sizePlan } from "./plan-still.ts";

export function planAnimation(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
): AnimationPlan | { unsupported: string } {
  const sole = soleGif(facts, spec);
  const reader = sole ? soleGifReader(sole) : readerPlan(facts);
  const encoding = animationEncodingOf(spec.format);
  const isOfMaster = variantTraits(spec.format).from === "any" || spec.format === facts.format;
  if (!reader || !encoding || !isOfMaster)
    return { unsupported: `an animation in ${facts.format} does not become ${spec.format}` };
  // The canvas, and where frames may restore it, a copy of it.
  const canvasBytes = codedPixels(facts) * PIXEL_BYTES * (reader.keepsBefore ? 2 : 1);
  const isExact = decodingOf(facts).isExact(facts);
  const animation: AnimationToEncode = { facts, sourceBytes, spec, isExact, canvasBytes };
  const frames = sole
    ? soleGifBytes(sole, spec)
    : framesBytes(animation, encoding.bytes(animation), readBytes(facts, sourceBytes));
  const bytes: BuildBytes = {
    ...frames,
    resampler: resamplerBytes(facts, unpadded(spec)),
    colour: colourBytes(facts, sourceBytes),
    output: encoding.outputBytes(animation) + extrasBytes(spec),
  };
  return {
    kind: "animation",
    lane: "heavy",
    ...sizePlan(spec),
    crop: storedCrop(facts, spec),
    reader,
    frames: facts.frames,
    resampling: resamplingOf(facts, unpadded(spec)),
    orientation: facts.orientation,
    colour: colourPlan(facts, groundOf(spec)),
    ...rightsPlan(facts, spec),
    encoder: encoding.plan(animation),
    memory: { ...bytes, peak: peakOf(bytes) },
  };
}

/** Returns the memory of reading frames to a canvas and encoding them. */
const framesBytes = (
  { canvasBytes }: AnimationToEncode,
  writer: WriterBytes,
  read: FrameBytes,
): FrameBytes => ({
  arena: FRAMES_FLOOR_BYTES + canvasBytes + writer.frames + Math.max(read.arena, writer.arena),
  rowCodec: Math.max(read.rowCodec, writer.rowCodec),
  buffers: read.buffers + writer.buffers,
});

/** Returns the facts of a GIF of one frame that stays a GIF. It is read in rows, and one frame of the output is held. */
const soleGif = (facts: MasterFacts, spec: VariantSpec): GifFacts | null =>
  facts.format === "gif" && facts.frames === 1 && spec.format === "gif" ? facts : null;

const soleGifReader = (facts: GifFacts): SoleFrameReaderPlan => ({
  name: "gif-still",
  bufferBytes: GIF_DECODER_BYTES,
  keepsBefore: false,
  size: codedSize(facts),
});

/** Returns the memory of such a GIF. The indices of the output are written over its pixels. */
const soleGifBytes = (facts: GifFacts, spec: VariantSpec): FrameBytes => ({
  arena:
    FRAMES_FLOOR_BYTES +
    spec.width * spec.height * PIXEL_BYTES +
    gifHeldBytes(facts, (storedCrop(facts, spec) ?? codedSize(facts)).height),
  rowCodec: 0,
  buffers: GIF_DECODER_BYTES + GIF_ENCODER_BYTES,
});

const NO_BYTES: FrameBytes = { arena: 0, rowCodec: 0, buffers: 0 };

/** Returns the memory of reading one frame. */
const readBytes = (facts: MasterFacts, sourceBytes: number): FrameBytes =>
  decodingOf(facts).frames?.bytes(facts, sourceBytes) ?? NO_BYTES;

const resamplerBytes = (facts: MasterFacts, wanted: Wanted): number =>
  resamplerPeakBytes(
    { ...(storedCrop(facts, wanted) ?? codedSize(facts)), layout: "rgba" },
    turned(wanted, facts.orientation),
  );

/** Returns the reader of a format's animations; null for formats without one. */
export function readerPlan(facts: MasterFacts): FrameReaderPlan | null {
  const { frames } = decodingOf(facts);
  if (!frames) return null;
  const { name, bufferBytes, keepsBefore } = frames;
  return { name, bufferBytes, keepsBefore, size: codedSize(facts) };
}

/** Plans how frames are resized. They are turned afterwards, so the size is that of the stored frame. */
export function resamplingOf(facts: MasterFacts, wanted: Wanted): ResamplingPlan {
  const to = turned(wanted, facts.orientation);
  const { width, height } = storedCrop(facts, wanted) ?? codedSize(facts);
  const isKept = to.width === width && to.height === height;
  return { by: isKept ? "nobody" : "resampler", to };
}

/** Returns the memory of reading the first frame alone, and resizing it. */
export function firstFrameBytes(facts: MasterFacts, sourceBytes: number, wanted: Wanted): BuildBytes {
  const { arena, rowCodec, buffers } = readBytes(facts, sourceBytes);
  const small = wanted.width * wanted.height * PIXEL_BYTES;
  return {
    arena: FRAMES_FLOOR_BYTES + codedPixels(facts) * PIXEL_BYTES + arena + small,
    resampler: resamplerBytes(facts, wanted),
    rowCodec,
    buffers,
    colour: colourBytes(facts, sourceBytes),
    output: small,
  };
}
