/**
 * What a build costs, in bytes and in time, by its codec path. Pure: pixel counts in, figures out.
 *
 * Bytes are the peak of a build: the arena (decoder and canvas, then canvas and encoder), the small memories
 * beside it, and the file that comes out. Times are those of one x86-64 core under workerd.
 * test/unit/builder/cost.test.ts holds the bytes to what builds really take.
 */
import { MEGABYTE_BYTES, ISOLATE } from "../limits.ts";
import { codecPath, type CodecPath } from "./codec-path.ts";
import { colourBytes, colourNanoseconds } from "./cost-colour.ts";
import { animationCost } from "./animation-cost.ts";
import { decoderBytes, decoderNanoseconds } from "./cost-decode.ts";
import { encoderBytes, encoderNanoseconds, outputBytes } from "./cost-encode.ts";
import type { MasterFacts } from "./master.ts";
import type { Lane } from "./plan.ts";
import { undrawable } from "./svg/cost.ts";
import type { VariantSpec } from "./variant.ts";

export type Cost = { supported: true; peakBytes: number; lane: Lane } | { supported: false; reason: string };

/** How an isolate's bytes for a build are shared out: the sum is ISOLATE.buildBytes. */
export const MEMORY = {
  /** For the widest picture there is: 3.9 MB at 30,000 pixels across. */
  resamplerMaxBytes: 4 * MEGABYTE_BYTES,
  /** The JPEG encoder keeps up to 12 MB of coded blocks, the one for WebP 9 MB and 3 of other things. */
  rowEncoderMaxBytes: 13 * MEGABYTE_BYTES,
  arenaMaxBytes: ISOLATE.buildBytes - 17 * MEGABYTE_BYTES,
} as const;

/** Of the wait of 250 ms: the rest is for the way there and back, and for a busier machine. */
const LIGHT_MAX_MS = 200;
/** Instances, messages, streams. */
const FIXED_MS = 15;
const NANOSECONDS_A_MS = 1e6;

export function estimate(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): Cost {
  if (spec.animated || facts.animated || spec.format === "gif")
    return animationCost(facts, sourceBytes, spec);
  if (facts.format === "jpeg" && facts.unsupported !== null) {
    return { supported: false, reason: `JPEG of the kind "${facts.unsupported}" is not decoded` };
  }
  const reason = facts.format === "svg" ? undrawable(facts, spec) : null;
  if (reason !== null) return { supported: false, reason };
  const path = codecPath(facts, spec);
  return {
    supported: true,
    peakBytes: peakOf(facts, sourceBytes, spec, path),
    lane: laneOf(facts, spec, path),
  };
}

function peakOf(facts: MasterFacts, sourceBytes: number, spec: VariantSpec, path: CodecPath): number {
  const canvas = spec.width * spec.height * path.canvasChannels;
  const decoder = decoderBytes(facts, sourceBytes, spec, MEMORY.arenaMaxBytes - canvas);
  const encoder = encoderBytes(facts, spec, path, MEMORY.arenaMaxBytes);
  const output = outputBytes(facts, spec);
  const colour = colourBytes(facts, sourceBytes);
  const arena = Math.max(decoder.arena + canvas, encoder.arena);
  // No other part can use what the small memories leave: over the arena's share is over the isolate's.
  if (arena > MEMORY.arenaMaxBytes) return Math.ceil(arena + ISOLATE.buildBytes - MEMORY.arenaMaxBytes);
  if (path.encoder === "png-rows" || path.encoder === "jpeg-rows" || path.encoder === "webp-rows") {
    return Math.ceil(decoder.arena + canvas + decoder.beside + colour + encoder.beside + output);
  }
  const decoding = decoder.arena + canvas + decoder.beside;
  return Math.ceil(colour + Math.max(decoding, encoder.arena + output));
}

function laneOf(facts: MasterFacts, spec: VariantSpec, path: CodecPath): Lane {
  const nanoseconds =
    decoderNanoseconds(facts, spec) + colourNanoseconds(facts, spec) + encoderNanoseconds(facts, spec, path);
  return FIXED_MS + nanoseconds / NANOSECONDS_A_MS <= LIGHT_MAX_MS ? "light" : "heavy";
}
