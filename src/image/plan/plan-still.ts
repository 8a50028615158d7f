/**
 * The plan of a still. Its peak is the sum over the memories of an isolate and what is held outside them. The figures
 * of the parts that work in rows are exact (src/image/formats, src/image/memory), those of other codecs were measured,
 * and times are those of one x86-64 core under workerd. test/unit/builder/memory/planned-bytes.test.ts compares the
 * bytes with those of real builds.
 */
import { MEGABYTE_BYTES } from "../../limits.ts";
import type { Decoding } from "../formats/decoding.ts";
import { type DecoderPlan, decodingOf, orientationOfRows } from "../formats/decodings.ts";
import { HELD_OF_PARTS_MAX_BYTES, type PictureToEncode, type StillEncoding } from "../formats/encoding.ts";
import type { StillEncoderPlan } from "../formats/encodings.ts";
import { variantTraits } from "../formats/registry.ts";
import { arenaBeside, type BuildBytes, fitsIsolate, peakOf, roomBeside } from "../memory/isolate.ts";
import type { MasterFacts } from "../model/facts.ts";
import type { Effort, VariantSpec } from "../model/variant.ts";
import type { CanvasPlan, ColourPlan, Lane, StillPlan } from "./build-plan.ts";
import { canvasFor, withHalvedChroma } from "./choose-canvas.ts";
import { colourBytes, colourNanoseconds } from "./cost-colour.ts";
import { pictureToEncode } from "./picture-to-encode.ts";

/** A light build takes at most this much of the wait of 250 ms. The rest is for messages and for a busier machine. */
const LIGHT_MAX_MS = 200;
/** Time for instances, messages and streams. */
const FIXED_MS = 15;
const NANOSECONDS_PER_MS = 1e6;
/** The file arrives while it is decoded. Bytes beyond the first OVERLAPPED_BYTES take BYTE_NANOSECONDS each. */
const OVERLAPPED_BYTES = 10 * MEGABYTE_BYTES;
const BYTE_NANOSECONDS = 6;

type Encoding = StillEncoding<StillEncoderPlan>;

/** A still to build: its master, the variant, and the encoder. */
interface Job {
  readonly facts: MasterFacts;
  readonly sourceBytes: number;
  readonly spec: VariantSpec;
  readonly encoding: Encoding;
  readonly picture: PictureToEncode;
}

/** Plans a still. @param isAwaited whether a visitor waits, for whom it may be encoded quickly */
export function planStill(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
  encoding: Encoding,
  isAwaited: boolean,
): StillPlan {
  const picture = pictureToEncode(facts, sourceBytes, spec);
  const job: Job = { facts, sourceBytes, spec, encoding, picture };
  const { canvas, decoding, bytes } = chooseLayout(job);
  const { lane, effort } = chooseEffort(job, isAwaited);
  return {
    kind: "still",
    lane,
    effort,
    size: { width: spec.width, height: spec.height },
    crop: decoding.crop,
    decoder: decoding.decoder,
    resampling: decoding.resampling,
    orientation: orientationOfRows(facts),
    colour: colourPlan(facts, !variantTraits(spec.format).hasAlpha),
    canvas,
    encoder: encoding.plan(picture, effort),
    memory: { ...bytes, peak: peakOf(bytes) },
  };
}

export const colourPlan = ({ profile, colour }: MasterFacts, isFlattened: boolean): ColourPlan => ({
  profile,
  isGray: colour === "gray",
  isCmyk: colour === "cmyk",
  isFlattened,
});

/** The canvas and the decoder of a still, and the memory that it takes with them. */
interface Layout {
  canvas: CanvasPlan;
  decoding: Decoding<DecoderPlan>;
  bytes: BuildBytes;
}

/**
 * Chooses between full and half chroma for a canvas of planes: full if it fits beside the decoder without making the
 * decoder use a smaller scale.
 */
function chooseLayout(job: Job): Layout {
  const { facts, sourceBytes, spec } = job;
  const canvas = canvasFor(facts, spec);
  const full = withMemory(job, canvas);
  const halved = withHalvedChroma(canvas, facts, spec);
  if (halved === null) return full;
  const wanted = decodingOf(facts).decode(facts, sourceBytes, spec, Infinity).arena;
  const isRoomy = wanted <= full.budgetBytes && fitsIsolate(full.bytes);
  return isRoomy ? full : withMemory(job, halved);
}

function withMemory(
  { facts, sourceBytes, spec, encoding, picture }: Job,
  canvas: CanvasPlan,
): Layout & { budgetBytes: number } {
  const rowCodec = encoding.memoryBytes(picture);
  const colour = colourBytes(facts, sourceBytes);
  const output = heldBytes(encoding, picture);
  const beside = { rowCodec, buffers: 0, colour, output };
  // The arena that the canvas and everything else leave. A JPEG decoder can use a smaller scale to stay within it.
  const budgetBytes = Math.min(Math.floor(arenaBeside(beside) - canvas.bytes), roomBeside(canvas.bytes));
  const decoding = decodingOf(facts).decode(facts, sourceBytes, spec, budgetBytes);
  const bytes: BuildBytes = {
    arena: decoding.arena + canvas.bytes,
    resampler: decoding.resampler,
    rowCodec,
    buffers: decoding.buffers,
    colour,
    output,
  };
  return { canvas, decoding, bytes, budgetBytes };
}

/** Returns the bytes of the file that are held at once. */
export function heldBytes(encoding: Encoding, picture: PictureToEncode): number {
  const file = encoding.fileBytes(picture);
  return encoding.isSentInParts ? Math.min(file, HELD_OF_PARTS_MAX_BYTES) : file;
}

/**
 * Chooses the lane, and how hard the still is encoded: quickly if that makes it light for a visitor, and thoroughly would
 * not.
 */
function chooseEffort(job: Job, isAwaited: boolean): { lane: Lane; effort: Effort } {
  const lane = laneOf(job, "thorough");
  const mayBeQuick = isAwaited && lane === "heavy" && job.encoding.hasQuickEffort(job.picture);
  const isQuick = mayBeQuick && laneOf(job, "quick") === "light";
  return isQuick ? { lane: "light", effort: "quick" } : { lane, effort: "thorough" };
}

function laneOf({ facts, sourceBytes, spec, encoding, picture }: Job, effort: Effort): Lane {
  const nanoseconds =
    BYTE_NANOSECONDS * Math.max(0, sourceBytes - OVERLAPPED_BYTES) +
    decodingOf(facts).nanoseconds(facts, sourceBytes, spec) +
    colourNanoseconds(facts, spec) +
    encoding.nanoseconds(picture, effort);
  return FIXED_MS + nanoseconds / NANOSECONDS_PER_MS <= LIGHT_MAX_MS ? "light" : "heavy";
}
