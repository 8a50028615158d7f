/**
 * The plan of a still. Its peak is the sum over the memories of an isolate and what is held outside them. The figures
 * of the parts that work in rows are exact (src/image/formats, src/image/memory), those of other codecs were measured,
 * and times are those of one x86-64 core under workerd. test/unit/builder/memory/planned-bytes.test.ts compares the
 * bytes with those of real builds.
 */
import { MEGABYTE_BYTES } from "../../limits.ts";
import { rowAvifOptions } from "../formats/avif/encoder-options.ts";
import { rowJpegOptions } from "../formats/jpeg/encoder-options.ts";
import { rowWebpOptions } from "../formats/webp/encoder-options.ts";
import { arenaBeside, type BuildBytes, fitsIsolate, peakOf, roomBeside } from "../memory/isolate.ts";
import type { Effort } from "../model/variant.ts";
import type { MasterFacts } from "../model/facts.ts";
import { orientationOfRows } from "../model/orientation.ts";
import { DEFAULT_QUALITY, type VariantSpec } from "../model/variant.ts";
import type { CanvasPlan, ColourPlan, Lane, StillEncoderPlan, StillPlan } from "./build-plan.ts";
import {
  codecPath,
  type CodecPath,
  hasQuickEffort,
  mayBeLossless,
  withHalvedChroma,
} from "./choose-encoder.ts";
import { colourBytes, colourNanoseconds } from "./cost-colour.ts";
import { decoderNanoseconds } from "./cost-decode.ts";
import { encoderBytes, encoderNanoseconds, outputBytes } from "./cost-encode.ts";
import { encodedLayout } from "./pixel-layouts.ts";
import { type Decoding, planDecoder } from "./plan-decoder.ts";

/** A light build takes at most this much of the wait of 250 ms. The rest is for messages and for a busier machine. */
const LIGHT_MAX_MS = 200;
/** Time for instances, messages and streams. */
const FIXED_MS = 15;
const NANOSECONDS_PER_MS = 1e6;
/** The file arrives while it is decoded. Bytes beyond the first OVERLAPPED_BYTES take BYTE_NANOSECONDS each. */
const OVERLAPPED_BYTES = 10 * MEGABYTE_BYTES;
const BYTE_NANOSECONDS = 6;

/** @param isAwaited whether a visitor waits, for whom it may be encoded quickly */
export function planStill(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
  isAwaited: boolean,
): StillPlan {
  const { path, decoding, bytes } = choosePath(facts, sourceBytes, spec);
  const { lane, effort } = chooseEffort(facts, sourceBytes, spec, path, isAwaited);
  return {
    kind: "still",
    lane,
    effort,
    size: { width: spec.width, height: spec.height },
    crop: decoding.crop,
    decoder: decoding.decoder,
    resampling: decoding.resampling,
    orientation: orientationOfRows(facts),
    colour: colourPlan(facts, spec.format === "jpeg"),
    canvas: canvasPlan(path),
    encoder: encoderPlan(spec, path, effort),
    memory: { ...bytes, peak: peakOf(bytes) },
  };
}

export const colourPlan = ({ profile, colour }: MasterFacts, isFlattened: boolean): ColourPlan => ({
  profile,
  isGray: colour === "gray",
  isCmyk: colour === "cmyk",
  isFlattened,
});

const canvasPlan = ({ canvas, canvasBytes }: CodecPath): CanvasPlan => ({
  kind: canvas,
  bytes: canvasBytes,
  floorBytes: 0,
});

interface Choice {
  path: CodecPath;
  decoding: Decoding;
  bytes: BuildBytes;
}

/**
 * Chooses between full and half chroma for a canvas of planes: full if it fits beside the decoder without making the
 * decoder use a smaller scale.
 */
function choosePath(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): Choice {
  const path = codecPath(facts, sourceBytes, spec);
  const full = withMemory(facts, sourceBytes, spec, path);
  const halved = withHalvedChroma(path, facts, spec);
  if (halved === null) return full;
  const wanted = planDecoder(facts, sourceBytes, spec, Infinity).arena;
  const isRoomy = wanted <= full.budgetBytes && fitsIsolate(full.bytes);
  return isRoomy ? full : withMemory(facts, sourceBytes, spec, halved);
}

function withMemory(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
  path: CodecPath,
): Choice & { budgetBytes: number } {
  const canvas = path.canvasBytes;
  const rowCodec = encoderBytes(facts, spec, path, encodedLayout(facts, spec));
  const colour = colourBytes(facts, sourceBytes);
  const output = outputBytes(facts, spec, path.encoder);
  const beside = { rowCodec, buffers: 0, colour, output };
  // The arena that the canvas and everything else leave. A JPEG decoder can use a smaller scale to stay within it.
  const budgetBytes = Math.min(Math.floor(arenaBeside(beside) - canvas), roomBeside(canvas));
  const decoding = planDecoder(facts, sourceBytes, spec, budgetBytes);
  const bytes: BuildBytes = {
    arena: decoding.arena + canvas,
    resampler: decoding.resampler,
    rowCodec,
    buffers: decoding.buffers,
    colour,
    output,
  };
  return { path, decoding, bytes, budgetBytes };
}

function encoderPlan(spec: VariantSpec, path: CodecPath, effort: Effort): StillEncoderPlan {
  const { encoder, chroma, isDrawing } = path;
  const quality = spec.quality ?? DEFAULT_QUALITY;
  switch (encoder) {
    case "png-rows":
      return { name: encoder, effort };
    case "jpeg-rows":
      return { name: encoder, options: rowJpegOptions(quality) };
    case "webp-rows":
      return {
        name: encoder,
        options: rowWebpOptions(quality, effort === "thorough" && mayBeLossless(path, spec)),
      };
    case "avif-rows":
      return { name: encoder, options: rowAvifOptions(quality, chroma, isDrawing, effort) };
  }
}

/** The lane, and how hard the still is encoded: quickly if that makes it light for a visitor, and thoroughly would not. */
function chooseEffort(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
  path: CodecPath,
  isAwaited: boolean,
): { lane: Lane; effort: Effort } {
  const lane = laneOf(facts, sourceBytes, spec, path, "thorough");
  const mayBeQuick = isAwaited && lane === "heavy" && hasQuickEffort(path, spec);
  const isQuick = mayBeQuick && laneOf(facts, sourceBytes, spec, path, "quick") === "light";
  return isQuick ? { lane: "light", effort: "quick" } : { lane, effort: "thorough" };
}

function laneOf(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
  path: CodecPath,
  effort: Effort,
): Lane {
  const nanoseconds =
    BYTE_NANOSECONDS * Math.max(0, sourceBytes - OVERLAPPED_BYTES) +
    decoderNanoseconds(facts, sourceBytes, spec) +
    colourNanoseconds(facts, spec) +
    encoderNanoseconds(facts, spec, path, effort);
  return FIXED_MS + nanoseconds / NANOSECONDS_PER_MS <= LIGHT_MAX_MS ? "light" : "heavy";
}
