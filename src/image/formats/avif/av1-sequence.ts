/** Reads the sequence header of AV1 data: AV1 specification section 5.5. */
import { Av1Error, BitReader } from "./av1-bits.ts";
import { obusIn, SEQUENCE_HEADER } from "./av1-obu.ts";

const SELECT_SCREEN_CONTENT_TOOLS = 2;
/** The code points of sRGB without a matrix, which implies 4:4:4 and the full range. */
const [BT709, SRGB, IDENTITY] = [1, 13, 0];

/** The tools of frames, for which a decoder keeps more rows or more frames. */
export interface SequenceTools {
  /** Samples on a side of a superblock. */
  superblock: 64 | 128;
  /** enable_restoration: whether frames may be loop-restored. */
  restorable: boolean;
  /** film_grain_params_present: whether noise may be added to a copy of the frame. */
  hasFilmGrain: boolean;
}

/** @throws Av1Error when the header ends early */
function toolsOf(header: Uint8Array): SequenceTools {
  const bits = new BitReader(header);
  const profile = bits.read(3); // seq_profile
  bits.skip(1); // still_picture
  const isReduced = bits.flag(); // reduced_still_picture_header
  if (isReduced) bits.skip(5);
  else skipOperatingPoints(bits);
  const [widthBits, heightBits] = [bits.read(4) + 1, bits.read(4) + 1];
  bits.skip(widthBits + heightBits);
  if (!isReduced && bits.flag()) bits.skip(7); // frame_id_numbers_present_flag and its two lengths
  const superblock = bits.flag() ? 128 : 64; // use_128x128_superblock
  bits.skip(2); // enable_filter_intra, enable_intra_edge_filter
  if (!isReduced) skipInterTools(bits);
  bits.skip(2); // enable_superres, enable_cdef
  const restorable = bits.flag();
  skipColour(bits, profile);
  return { superblock, restorable, hasFilmGrain: bits.flag() };
}

/** Skips color_config: section 5.5.2. */
function skipColour(bits: BitReader, profile: number): void {
  const isDeep = bits.flag(); // high_bitdepth
  const isTwelveBit = profile === 2 && isDeep && bits.flag();
  const isGray = profile !== 1 && bits.flag(); // mono_chrome
  const [primaries, transfer, matrix] = bits.flag() ? [bits.read(8), bits.read(8), bits.read(8)] : [];
  if (isGray) {
    bits.skip(1); // color_range
    return;
  }
  if (primaries === BT709 && transfer === SRGB && matrix === IDENTITY) {
    bits.skip(1); // separate_uv_delta_q
    return;
  }
  bits.skip(1); // color_range
  const isHalfWide = isTwelveBit ? bits.flag() : profile !== 1; // subsampling_x
  const isHalfHigh = isTwelveBit ? isHalfWide && bits.flag() : profile === 0; // subsampling_y
  if (isHalfWide && isHalfHigh) bits.skip(2); // chroma_sample_position
  bits.skip(1); // separate_uv_delta_q
}

/** Skips the fields from enable_interintra_compound to order_hint_bits_minus_1. */
function skipInterTools(bits: BitReader): void {
  bits.skip(4); // enable_interintra_compound to enable_dual_filter
  const hasOrderHint = bits.flag();
  if (hasOrderHint) bits.skip(2); // enable_jnt_comp, enable_ref_frame_mvs
  const screenContent = bits.flag() ? SELECT_SCREEN_CONTENT_TOOLS : bits.read(1);
  if (screenContent > 0 && !bits.flag()) bits.skip(1); // seq_choose_integer_mv, seq_force_integer_mv
  if (hasOrderHint) bits.skip(3);
}

/** Skips the fields from timing_info_present_flag to the last operating point: sections 5.5.1, 5.5.3 and 5.5.4. */
function skipOperatingPoints(bits: BitReader): void {
  let delayBits = 0;
  const hasTiming = bits.flag();
  if (hasTiming) {
    bits.skip(64); // num_units_in_display_tick, time_scale
    if (bits.flag()) bits.skipUvlc(); // equal_picture_interval
    if (bits.flag()) {
      delayBits = bits.read(5) + 1;
      bits.skip(42); // num_units_in_decoding_tick, and two lengths
    }
  }
  const hasDelays = bits.flag(); // initial_display_delay_present_flag
  const count = bits.read(5) + 1;
  for (let i = 0; i < count; i++) {
    bits.skip(12); // operating_point_idc
    if (bits.read(5) > 7) bits.skip(1); // seq_level_idx, seq_tier
    if (delayBits > 0 && bits.flag()) bits.skip(2 * delayBits + 1);
    if (hasDelays && bits.flag()) bits.skip(4);
  }
}

/**
 * Reads the tools of frames; null when the bytes contain no whole sequence header.
 * @param head the first bytes of the data of a picture
 */
export function sequenceTools(head: Uint8Array): SequenceTools | null {
  try {
    for (const { type, payload } of obusIn(head)) if (type === SEQUENCE_HEADER) return toolsOf(payload);
  } catch (error) {
    if (!(error instanceof Av1Error)) throw error;
  }
  return null;
}
