/**
 * What a build costs, in bytes and in time, by its codec path. Pure: pixel counts in, figures out.
 *
 * Bytes are those of the WebAssembly memories at their largest, which never shrink, and of what is held beside
 * them. What row parts take is summed up as they sum it up themselves (memory/); codecs were measured. Times are
 * those of one x86-64 core under workerd. test/unit/builder/memory/planned-bytes.test.ts holds the bytes to what builds really take.
 */
import { ISOLATE, MEGABYTE_BYTES } from "../../limits.ts";
import { codecPath, type CodecPath, withHalvedChroma } from "./choose-encoder.ts";
import { colourBytes, colourNanoseconds } from "./cost-colour.ts";
import { animationCost } from "./plan-animation.ts";
import { decoderBytes, decoderNanoseconds } from "./cost-decode.ts";
import { encoderBytes, encoderNanoseconds, outputBytes } from "./cost-encode.ts";
import { encodedLayout } from "./pixel-layouts.ts";
import type { MasterFacts } from "../model/facts.ts";
import { type BuildBytes, CANVAS_FLOOR_BYTES, fitsIsolate, MEMORY, peakOf } from "../memory/isolate.ts";
import type { Lane } from "./plan.ts";
import { undrawable } from "../formats/svg/cost.ts";
import type { VariantSpec } from "../model/variant.ts";

export type Cost =
  | { supported: true; peakBytes: number; bytes: BuildBytes; lane: Lane }
  | { supported: false; reason: string };

/** Of the wait of 250 ms: the rest is for the way there and back, and for a busier machine. */
const LIGHT_MAX_MS = 200;
/** Instances, messages, streams. */
const FIXED_MS = 15;
const NANOSECONDS_A_MS = 1e6;
/** The file comes while it is decoded; of a large one the rest takes so long, a byte. */
const OVERLAPPED_BYTES = 10 * MEGABYTE_BYTES;
const BYTE_NANOSECONDS = 6;

export function estimate(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): Cost {
  if (spec.animated || facts.animated || spec.format === "gif")
    return animationCost(facts, sourceBytes, spec);
  if (facts.format === "jpeg" && facts.unsupported !== null) {
    return { supported: false, reason: `JPEG of the kind "${facts.unsupported}" is not decoded` };
  }
  const reason = facts.format === "svg" ? undrawable(facts, spec) : null;
  if (reason !== null) return { supported: false, reason };
  const path = buildPath(facts, sourceBytes, spec);
  const bytes = bytesOf(facts, sourceBytes, spec, path);
  return { supported: true, peakBytes: peakOf(bytes), bytes, lane: laneOf(facts, sourceBytes, spec, path) };
}

/**
 * What a build does. A canvas that must be turned keeps all of its colour where that fits beside the decoder, which is
 * not to read more coarsely for it.
 */
export function buildPath(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): CodecPath {
  const path = codecPath(facts, spec);
  const halved = withHalvedChroma(path, facts, spec);
  if (halved === null) return path;
  const budget = decoderBudget(facts, sourceBytes, spec, path);
  const wanted = decoderBytes(facts, sourceBytes, spec, Infinity).arena;
  return wanted <= budget && fitsIsolate(bytesOf(facts, sourceBytes, spec, path)) ? path : halved;
}

function bytesOf(facts: MasterFacts, sourceBytes: number, spec: VariantSpec, path: CodecPath): BuildBytes {
  const canvas = path.canvasBytes;
  const encoder = encoderBytes(facts, spec, path, encodedLayout(facts, spec), MEMORY.arenaMaxBytes);
  const decoder = decoderBytes(facts, sourceBytes, spec, decoderBudget(facts, sourceBytes, spec, path));
  const floor = encoder.arena > 0 ? CANVAS_FLOOR_BYTES : 0;
  const decoding = canvas > 0 ? Math.max(decoder.arena, floor) + canvas : decoder.arena;
  return {
    arena: Math.max(decoding, encoder.arena),
    resampler: decoder.resampler,
    rowEncoder: encoder.rowEncoder,
    buffers: decoder.buffers,
    colour: colourBytes(facts, sourceBytes),
    output: outputBytes(facts, spec, path.encoder),
  };
}

/** Bytes of the arena that a decoder may take which can do with less: what the canvas and all else leave. */
export function decoderBudget(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
  path: CodecPath,
): number {
  const canvas = path.canvasBytes;
  const { rowEncoder } = encoderBytes(facts, spec, path, encodedLayout(facts, spec), MEMORY.arenaMaxBytes);
  const output = outputBytes(facts, spec, path.encoder);
  const beside = rowEncoder + colourBytes(facts, sourceBytes) + output;
  return Math.floor(Math.min(MEMORY.arenaMaxBytes, ISOLATE.buildBytes - beside) - canvas);
}

function laneOf(facts: MasterFacts, sourceBytes: number, spec: VariantSpec, path: CodecPath): Lane {
  const nanoseconds =
    BYTE_NANOSECONDS * Math.max(0, sourceBytes - OVERLAPPED_BYTES) +
    decoderNanoseconds(facts, sourceBytes, spec) +
    colourNanoseconds(facts, spec) +
    encoderNanoseconds(facts, spec, path);
  return FIXED_MS + nanoseconds / NANOSECONDS_A_MS <= LIGHT_MAX_MS ? "light" : "heavy";
}
