/** Reads the header of a key frame in a picture with a reduced still picture header (AV1 specification section 5.9). */
import { Av1Error, BitReader } from "../../../image/formats/avif/av1-bits.ts";
import type { StillSequence } from "./av1-sequence.ts";
import { tileLimits } from "./av1-tiles.ts";

export interface Frame {
  /** The payload of the unit: the header, then the data of its only tile. */
  bytes: Uint8Array;
  /** The bits of the header before tile_info(), and those after it. */
  before: { from: number; to: number };
  after: { from: number; to: number };
  tileData: Uint8Array;
}

/**
 * Reads a frame of one tile.
 * @throws Av1Error for a frame of several tiles, or with anything that depends on its place in a picture
 */
export function readFrame(bytes: Uint8Array, sequence: StillSequence): Frame {
  const bits = new BitReader(bytes);
  bits.flag(); // disable_cdf_update
  if (bits.flag()) throw new Av1Error("A tile has screen content tools");
  if (sequence.hasSuperres && bits.flag()) throw new Av1Error("A tile is super-resolved");
  if (bits.flag()) throw new Av1Error("A tile is to be rendered at another size");
  const before = { from: 0, to: bits.at };
  readTileInfo(bits, sequence);
  const from = bits.at;
  const { index, isLossless } = readQuantization(bits, sequence);
  if (bits.flag()) throw new Av1Error("A tile has segments");
  // delta_q_params(), section 5.9.17.
  if (index > 0 && bits.flag()) throw new Av1Error("A tile changes its quantizer");
  if (!isLossless) {
    readLoopFilter(bits, sequence);
    bits.flag(); // tx_mode_select
  }
  bits.flag(); // reduced_tx_set
  if (sequence.hasFilmGrain && bits.flag()) throw new Av1Error("A tile has film grain");
  const tileData = bytes.subarray(Math.ceil(bits.at / 8));
  if (tileData.length === 0) throw new Av1Error("A tile has no data");
  return { bytes, before, after: { from, to: bits.at }, tileData };
}

/** tile_info(), section 5.9.15, of a frame of one tile. */
function readTileInfo(bits: BitReader, { width, height, superblock }: StillSequence): void {
  const limits = tileLimits(width, height, superblock);
  const isUniform = bits.flag();
  const more =
    limits.minLog2Tiles > 0 ||
    (limits.maxLog2Columns > 0 && bits.flag()) ||
    (limits.maxLog2Rows > 0 && bits.flag());
  if (!isUniform || more) throw new Av1Error("A tile has tiles of its own");
}

/** quantization_params(), section 5.9.12. */
function readQuantization(
  bits: BitReader,
  { monochrome, separateUvDelta }: StillSequence,
): { index: number; isLossless: boolean } {
  /** read_delta_q(): su(7). */
  const delta = (): boolean => bits.flag() && bits.read(7) !== 0;
  const index = bits.read(8);
  let hasDelta = delta();
  if (!monochrome) {
    const differ = separateUvDelta && bits.flag();
    for (let plane = 0; plane < (differ ? 4 : 2); plane++) hasDelta = delta() || hasDelta;
  }
  if (bits.flag()) bits.read(separateUvDelta ? 12 : 8); // using_qmatrix: qm_y, qm_u, qm_v
  return { index, isLossless: index === 0 && !hasDelta };
}

/** loop_filter_params(), section 5.9.11. */
function readLoopFilter(bits: BitReader, { monochrome }: StillSequence): void {
  const [vertical, horizontal] = [bits.read(6), bits.read(6)];
  if (!monochrome && (vertical > 0 || horizontal > 0)) bits.read(12); // levels of U and V
  bits.read(3); // loop_filter_sharpness
  const hasDeltas = bits.flag() && bits.flag(); // loop_filter_delta_enabled, loop_filter_delta_update
  // 8 deltas of reference frames, 2 of modes: each a flag, and su(7) where it is set.
  for (let i = 0; i < (hasDeltas ? 10 : 0); i++) if (bits.flag()) bits.read(7);
}
