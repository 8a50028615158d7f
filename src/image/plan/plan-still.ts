/**
 * The plan of a still. Its peak is the sum over the memories of an isolate and what is held outside them. The figures
 * of the parts that work in rows are exact (src/image/formats, src/image/memory), those of other codecs were measured,
 * and times are those of one x86-64 core under workerd. test/unit/builder/memory/planned-bytes.rings.test.ts compares
 * the bytes with those of real builds.
 */
import { MEGABYTE_BYTES, METADATA } from "../../limits.ts";
import { colourIn } from "../colour/gamut.ts";
import type { Decoding } from "../formats/decoding.ts";
import { type DecoderPlan, decodingOf, orientationOfRows } from "../formats/decodings.ts";
import { HELD_OF_PARTS_MAX_BYTES, type PictureToEncode, type StillEncoding } from "../formats/encoding.ts";
import type { StillEncoderPlan } from "../formats/encodings.ts";
import { arenaBeside, type BuildBytes, fitsIsolate, peakOf, roomBeside } from "../memory/isolate.ts";
import { groundOf } from "../model/background.ts";
import { type Colour, WHITE } from "../model/colour.ts";
import type { MasterFacts } from "../model/facts.ts";
import { type Effort, type Extras, unpadded, type VariantSpec } from "../model/variant.ts";
import type { CanvasPlan, ColourPlan, Lane, StillPlan } from "./build-plan.ts";
import { canvasFor, withHalvedChroma } from "./choose-canvas.ts";
import { colourBytes, colourNanoseconds } from "./cost-colour.ts";
import { pictureToEncode } from "./picture-to-encode.ts";
import { type PlannedLook, planLook } from "./plan-look.ts";

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
  /** The variant without its canvas, as it is decoded and resized. */
  readonly bare: VariantSpec;
  readonly encoding: Encoding;
  readonly picture: PictureToEncode;
  /** The trials by which a thorough build fits the quantiser; null if there are none. */
  readonly look: PlannedLook | null;
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
  const look = planLook(picture, encoding);
  const job: Job = { facts, sourceBytes, spec, bare: unpadded(spec), encoding, picture, look };
  const { lane, effort } = chooseEffort(job, isAwaited);
  const { canvas, decoding, bytes, look: trials } = chooseLayout(job, effort);
  return {
    kind: "still",
    lane,
    effort,
    ...sizePlan(spec),
    crop: decoding.crop,
    decoder: decoding.decoder,
    resampling: decoding.resampling,
    orientation: orientationOfRows(facts),
    colour: colourPlan(facts, groundOf(spec), spec.gamut),
    ...rightsPlan(facts, spec),
    canvas,
    encoder: encoding.plan(picture, effort),
    ...(trials && { look: trials.look }),
    memory: { ...bytes, peak: peakOf(bytes) },
  };
}

/**
 * Plans the conversion of colours.
 * @param ground the colour on which the picture is composed; null for none
 * @param gamut the gamut of the variant; undefined for sRGB
 */
export const colourPlan = (
  { profile, colour }: MasterFacts,
  ground: Colour | null,
  gamut?: "p3",
): ColourPlan => ({
  profile,
  isGray: colour === "gray",
  isCmyk: colour === "cmyk",
  isFlattened: ground !== null,
  ...(ground !== null && ground !== WHITE && { background: colourIn(gamut ?? "srgb", ground) }),
  ...(gamut && { gamut }),
});

/** Plans what the file says about rights. */
export const rightsPlan = ({ copyright }: MasterFacts, { rights }: VariantSpec): Pick<StillPlan, "rights"> =>
  rights && copyright ? { rights: copyright } : {};

/** Plans the size of the output, and the place of the picture on it. */
export const sizePlan = (spec: VariantSpec): Pick<StillPlan, "size" | "pad"> => ({
  size: { width: spec.width, height: spec.height },
  ...(spec.pad && { pad: { place: spec.pad.place, colour: padColour(spec) } }),
});

function padColour(spec: VariantSpec): Colour | null {
  const ground = groundOf(spec);
  return ground && colourIn(spec.gamut ?? "srgb", ground);
}

/** The canvas and the decoder of a still, and the memory that it takes with them. */
interface Layout {
  canvas: CanvasPlan;
  decoding: Decoding<DecoderPlan>;
  bytes: BuildBytes;
  /** The trials that fit the quantiser to the picture; null if there are none. */
  look: PlannedLook | null;
}

/**
 * Chooses the canvas. For trials of the quantiser the picture is held; if there is no room for that, the quantiser is
 * the usual one. The canvas has full chroma if it fits beside the decoder without making the decoder use a smaller
 * scale, and half chroma otherwise.
 */
function chooseLayout(job: Job, effort: Effort): Layout {
  const { facts, sourceBytes, bare } = job;
  const wanted = decodingOf(facts).decode(facts, sourceBytes, bare, Infinity).arena;
  const isRoomy = ({ bytes, budgetBytes }: ReturnType<typeof withMemory>): boolean =>
    wanted <= budgetBytes && fitsIsolate(bytes);
  const wantsTrials = effort === "thorough" && job.look !== null;
  for (const trials of wantsTrials ? [job.look, null] : [null]) {
    const canvas = canvasFor(facts, bare, trials !== null);
    const full = withMemory(job, effort, canvas, trials);
    const halved = withHalvedChroma(canvas, facts, bare);
    if (isRoomy(full) || (halved === null && !trials)) return full;
    const smaller = halved && withMemory(job, effort, halved, trials);
    if (smaller && (!trials || isRoomy(smaller))) return smaller;
  }
  return withMemory(job, effort, canvasFor(facts, bare), null);
}

function withMemory(
  { facts, sourceBytes, spec, bare, encoding, picture }: Job,
  effort: Effort,
  canvasPlan: CanvasPlan,
  look: PlannedLook | null,
): Layout & { budgetBytes: number } {
  // The file of a trial is decoded below the canvas.
  const canvas = look ? { ...canvasPlan, floorBytes: look.arena } : canvasPlan;
  const rowCodec = Math.max(encoding.memoryBytes(picture, effort), look?.rowCodec ?? 0);
  const colour = colourBytes(facts, sourceBytes);
  const output = heldBytes(encoding, picture) + extrasBytes(spec);
  const beside = { rowCodec, buffers: 0, colour, output };
  // The arena that the canvas and everything else leave. A JPEG decoder can use a smaller scale to stay within it.
  const budgetBytes = Math.min(Math.floor(arenaBeside(beside) - canvas.bytes), roomBeside(canvas.bytes));
  const decoding = decodingOf(facts).decode(facts, sourceBytes, bare, budgetBytes);
  const bytes: BuildBytes = {
    arena: Math.max(decoding.arena, canvas.floorBytes) + canvas.bytes,
    resampler: decoding.resampler,
    rowCodec,
    buffers: decoding.buffers,
    colour,
    output,
  };
  return { canvas, decoding, bytes, look, budgetBytes };
}

/** The bytes of a profile, and of the boxes, chunks or segments around it and around the statements about rights. */
const AROUND_EXTRAS_BYTES = 1024;

/** Returns the bytes that the file has beside the picture. */
export const extrasBytes = ({ rights, gamut }: Extras): number =>
  (rights ? METADATA.writtenMaxBytes : 0) + (rights || gamut ? AROUND_EXTRAS_BYTES : 0);

/** Returns the bytes of the file that are held at once. */
export function heldBytes(encoding: Encoding, picture: PictureToEncode): number {
  const file = encoding.fileBytes(picture);
  return encoding.isSentInParts ? Math.min(file, HELD_OF_PARTS_MAX_BYTES) : file;
}

/**
 * Chooses the lane, and how hard the still is encoded: quickly if that makes it light for a visitor, and thoroughly
 * would not.
 */
function chooseEffort(job: Job, isAwaited: boolean): { lane: Lane; effort: Effort } {
  const lane = laneOf(job, "thorough");
  const mayBeQuick = isAwaited && lane === "heavy" && job.encoding.hasQuickEffort(job.picture);
  const isQuick = mayBeQuick && laneOf(job, "quick") === "light";
  return isQuick ? { lane: "light", effort: "quick" } : { lane, effort: "thorough" };
}

function laneOf({ facts, sourceBytes, bare, encoding, picture, look }: Job, effort: Effort): Lane {
  const nanoseconds =
    BYTE_NANOSECONDS * Math.max(0, sourceBytes - OVERLAPPED_BYTES) +
    decodingOf(facts).nanoseconds(facts, sourceBytes, bare) +
    colourNanoseconds(facts, bare) +
    encoding.nanoseconds(picture, effort) +
    (effort === "thorough" ? (look?.nanoseconds ?? 0) : 0);
  return FIXED_MS + nanoseconds / NANOSECONDS_PER_MS <= LIGHT_MAX_MS ? "light" : "heavy";
}
