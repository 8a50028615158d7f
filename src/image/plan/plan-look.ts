/**
 * Plans how a variant gets the look that its quality promises: which part of the picture is encoded to try a quantiser,
 * and how the file of the trial is read again (src/builder/look).
 */
import type { FrameBytes } from "../formats/decoding.ts";
import { type DecoderPlan, decodingOf } from "../formats/decodings.ts";
import type { PictureToEncode, StillEncoding } from "../formats/encoding.ts";
import type { StillEncoderPlan } from "../formats/encodings.ts";
import type { Rect, Size } from "../geometry/size.ts";
import { MEMORY } from "../memory/isolate.ts";
import { wholePages } from "../memory/pages.ts";
import { ssimulacra2Bytes } from "../memory/ssimulacra2.ts";
import type { MasterFacts } from "../model/facts.ts";
import { PROMISED_LOOK } from "../model/promised-look.ts";

/** A picture with more pixels is judged by parts of it, which have about so many together. */
const SAMPLE_PIXELS = 5 << 20;
/** The widest part. The memory of a comparison grows with it. */
const SAMPLE_MAX_WIDTH = 4096;
/** Rows of a part: blocks and superblocks of every format are whole. */
const STRIP_ROWS = 256;
/** Room for files that are a little larger than planned, and for what small pictures take beyond the estimates. */
const DECODER_MARGIN = { factor: 1.03, bytes: 65_536 } as const;
/** Time of comparing a pixel, and the trials that most pictures need. */
const COMPARE_NANOSECONDS = 55;
const MEAN_TRIALS = 1.7;
/** A smaller picture is not fitted: SSIMULACRA 2 has fewer scales for it, and a few bytes are at stake. */
const LEAST_SIDE = 64;

/** How the quantiser of a variant is fitted to its picture. */
export interface LookPlan {
  /** The SSIMULACRA 2 that the quality promises. */
  readonly promised: number;
  /** The size of the picture of a trial. */
  readonly size: Size;
  /** The parts of the variant that stand below each other in it, all of one size. */
  readonly parts: readonly Rect[];
  /** The facts of the file of a trial, and its decoder. */
  readonly facts: MasterFacts;
  readonly decoder: DecoderPlan;
}

/** A plan with the memory that trials take besides the encoder, and their time. */
export interface PlannedLook extends Pick<FrameBytes, "arena" | "rowCodec"> {
  readonly look: LookPlan;
  readonly nanoseconds: number;
}

/** Plans the trials of a picture; null if its quantiser does not depend on it. */
export function planLook(
  picture: PictureToEncode,
  encoding: StillEncoding<StillEncoderPlan>,
): PlannedLook | null {
  const { fitting } = encoding;
  const promised = PROMISED_LOOK[picture.quality];
  const isOpaque = picture.layout === "gray" || picture.layout === "rgb";
  const isLarge = Math.min(picture.width, picture.height) >= LEAST_SIDE;
  if (!fitting || promised === null || !isOpaque || !isLarge || !picture.isPhotograph) return null;
  const parts = partsOf(picture);
  const { width, height } = parts[0]!;
  const size = { width, height: height * parts.length };
  const facts = fitting.facts(size, picture.layout === "gray");
  const sample = { ...picture, ...size };
  const decoding = decodingOf(facts).decode(facts, encoding.fileBytes(sample), size, MEMORY.arenaMaxBytes);
  const arena = wholePages(DECODER_MARGIN.factor * decoding.arena + DECODER_MARGIN.bytes);
  const look = { promised, size, parts, facts, decoder: decoding.decoder };
  const trial =
    encoding.nanoseconds(sample, "thorough") +
    decodingOf(facts).nanoseconds(facts, encoding.fileBytes(sample), size) +
    COMPARE_NANOSECONDS * size.width * size.height;
  return { look, arena, rowCodec: ssimulacra2Bytes(width), nanoseconds: MEAN_TRIALS * trial };
}

/** Returns the parts by which a picture is judged: all of it, or strips from top to bottom, and from side to side. */
export function partsOf({ width, height }: Size): Rect[] {
  if (width * height <= SAMPLE_PIXELS && width <= SAMPLE_MAX_WIDTH)
    return [{ left: 0, top: 0, width, height }];
  const across = Math.min(width, SAMPLE_MAX_WIDTH);
  const down = Math.min(height, STRIP_ROWS);
  const most = Math.floor(height / down);
  const count = Math.max(1, Math.min(most, Math.floor(SAMPLE_PIXELS / (across * down))));
  return Array.from({ length: count }, (_, i) => ({
    left: Math.floor(((width - across) * ((i * 3) % (count + 1))) / Math.max(1, count)),
    top: Math.floor((height * (i + 0.5)) / count - down / 2),
    width: across,
    height: down,
  }));
}
