/** Reads the sequence header of a still picture, and writes it for another size (AV1 specification section 5.5). */
import { Av1Error, BitReader } from "../../../image/formats/avif/av1-bits.ts";
import { readSequenceStart } from "../../../image/formats/avif/av1-sequence.ts";
import { BitWriter } from "./bit-writer.ts";

export interface StillSequence {
  bytes: Uint8Array;
  profile: number;
  width: number;
  height: number;
  /** Side of a superblock in samples, 64 or 128. */
  superblock: number;
  monochrome: boolean;
  hasSuperres: boolean;
  hasFilmGrain: boolean;
  separateUvDelta: boolean;
  /** The bits from use_128x128_superblock up to the trailing bits. */
  tail: { from: number; to: number };
  /** The bit position of colour primaries and transfer characteristics; null if they are not stated. */
  codePoints: number | null;
}

const PROFILE_BITS = 3;
const LEVEL_BITS = 5;
const UNSPECIFIED = 2;
const BT709 = 1;
const SRGB = 13;
const IDENTITY = 0;

/**
 * Reads a sequence header. @throws Av1Error unless it is a reduced still picture header without CDEF and restoration
 */
export function readStillSequence(bytes: Uint8Array): StillSequence {
  const { bits, profile, isStill, isReduced, toolsAt, ...start } = readSequenceStart(bytes);
  const { width, height, superblock, hasSuperres, hasCdef, hasRestoration } = start;
  if (!isStill || !isReduced) throw new Av1Error("A tile is not a still picture");
  if (hasCdef || hasRestoration) throw new Av1Error("A tile has CDEF or loop restoration");
  const colour = readColour(bits, profile);
  const hasFilmGrain = bits.flag();
  const tail = { from: toolsAt, to: bits.at };
  return { bytes, profile, width, height, superblock, hasSuperres, hasFilmGrain, tail, ...colour };
}

/** Reads color_config() (section 5.5.2). */
function readColour(
  bits: BitReader,
  profile: number,
): Pick<StillSequence, "monochrome" | "separateUvDelta" | "codePoints"> {
  bits.flag(); // high_bitdepth
  if (profile > 1) throw new Av1Error("A tile is of the professional profile");
  const monochrome = profile === 0 && bits.flag();
  const isDescribed = bits.flag();
  const codePoints = isDescribed ? bits.at : null;
  const [primaries, transfer, matrix] = isDescribed ? [bits.read(8), bits.read(8), bits.read(8)] : [2, 2, 2];
  if (monochrome) {
    bits.flag(); // color_range
    return { monochrome, separateUvDelta: false, codePoints };
  }
  if (primaries === BT709 && transfer === SRGB && matrix === IDENTITY) {
    throw new Av1Error("A tile is coded as RGB");
  }
  bits.flag(); // color_range
  if (profile === 0) bits.read(2); // chroma_sample_position, for 4:2:0
  return { monochrome, separateUvDelta: bits.flag(), codePoints };
}

/** Writes the header for a picture of another size and level. Unspecified colour becomes sRGB. */
export function resized(sequence: StillSequence, width: number, height: number, level: number): Uint8Array {
  const { bytes, tail, codePoints } = sequence;
  const out = new BitWriter();
  out.copy(bytes, 0, PROFILE_BITS + 2);
  out.write(level, LEVEL_BITS);
  const bitsFor = (size: number): number => Math.floor(Math.log2(Math.max(1, size - 1))) + 1;
  out.write(bitsFor(width) - 1, 4);
  out.write(bitsFor(height) - 1, 4);
  out.write(width - 1, bitsFor(width));
  out.write(height - 1, bitsFor(height));
  if (codePoints === null) {
    out.copy(bytes, tail.from, tail.to);
  } else {
    const bits = new BitReader(bytes);
    bits.at = codePoints;
    const [primaries, transfer] = [bits.read(8), bits.read(8)];
    out.copy(bytes, tail.from, codePoints);
    out.write(primaries === UNSPECIFIED ? BT709 : primaries, 8);
    out.write(transfer === UNSPECIFIED ? SRGB : transfer, 8);
    out.copy(bytes, bits.at, tail.to);
  }
  out.write(1, 1); // trailing_bits(), section 5.3.4
  return out.bytes();
}

/** Levels (annex A.3): level, most samples per picture, largest width and height. */
const LEVELS: readonly [level: number, samples: number, width: number, height: number][] = [
  [0, 147_456, 2048, 1152],
  [1, 278_784, 2816, 1584],
  [4, 665_856, 4352, 2448],
  [5, 1_065_024, 5504, 3096],
  [8, 2_359_296, 6144, 3456],
  [12, 8_912_896, 8192, 4352],
  [16, 35_651_584, 16_384, 8704],
];
/** The level "maximum parameters", for pictures beyond all others. */
const NO_LEVEL = 31;

/** The lowest level that allows a picture of this size. */
export const levelOf = (width: number, height: number): number =>
  LEVELS.find(([, samples, w, h]) => width * height <= samples && width <= w && height <= h)?.[0] ?? NO_LEVEL;
