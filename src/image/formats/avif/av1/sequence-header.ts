/** Reads the sequence header of AV1 data: AV1 specification section 5.5. */
import { Av1Error, BitReader } from "./bits.ts";
import { obusIn, SEQUENCE_HEADER } from "./obus.ts";

/** The value of seq_force_screen_content_tools and seq_force_integer_mv that leaves the choice to frames. */
export const CHOSEN_PER_FRAME = 2;
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

/** The fields of a sequence header without which the header of a frame cannot be read. */
export interface SequenceHeader extends SequenceTools {
  /** reduced_still_picture_header. */
  isReduced: boolean;
  /** decoder_model_info_present_flag. */
  hasDecoderModel: boolean;
  /** Bits of the fields for the size of a frame, and the size of frames that do not state one. */
  widthBits: number;
  heightBits: number;
  width: number;
  height: number;
  /** Bits of the id of a frame; 0 when frames have none. */
  frameIdBits: number;
  orderHintBits: number;
  /** seq_force_screen_content_tools and seq_force_integer_mv. */
  screenTools: number;
  integerMotion: number;
  hasSuperres: boolean;
  /** mono_chrome, and separate_uv_delta_q. */
  isGray: boolean;
  hasSeparateDeltas: boolean;
}

/** @throws Av1Error when the header ends early */
function readHeader(header: Uint8Array): SequenceHeader {
  const bits = new BitReader(header);
  const profile = bits.read(3); // seq_profile
  bits.skip(1); // still_picture
  const isReduced = bits.flag();
  if (isReduced) bits.skip(5);
  const hasDecoderModel = !isReduced && skipOperatingPoints(bits);
  const [widthBits, heightBits] = [bits.read(4) + 1, bits.read(4) + 1];
  const [width, height] = [bits.read(widthBits) + 1, bits.read(heightBits) + 1];
  const frameIdBits = !isReduced && bits.flag() ? bits.read(4) + 2 + bits.read(3) + 1 : 0;
  const superblock = bits.flag() ? 128 : 64; // use_128x128_superblock
  bits.skip(2); // enable_filter_intra, enable_intra_edge_filter
  const tools = isReduced ? REDUCED_TOOLS : readInterTools(bits);
  const hasSuperres = bits.flag();
  bits.skip(1); // enable_cdef
  const restorable = bits.flag();
  const colour = readColour(bits, profile);
  const size = { widthBits, heightBits, width, height };
  const hasFilmGrain = bits.flag();
  const own = { superblock, restorable, hasFilmGrain, hasSuperres } as const;
  return { ...own, ...size, ...tools, ...colour, isReduced, hasDecoderModel, frameIdBits };
}

type InterTools = Pick<SequenceHeader, "screenTools" | "integerMotion" | "orderHintBits">;
const REDUCED_TOOLS: InterTools = {
  screenTools: CHOSEN_PER_FRAME,
  integerMotion: CHOSEN_PER_FRAME,
  orderHintBits: 0,
};

/** Reads color_config: section 5.5.2. */
function readColour(bits: BitReader, profile: number): Pick<SequenceHeader, "isGray" | "hasSeparateDeltas"> {
  const isDeep = bits.flag(); // high_bitdepth
  const isTwelveBit = profile === 2 && isDeep && bits.flag();
  const isGray = profile !== 1 && bits.flag(); // mono_chrome
  const [primaries, transfer, matrix] = bits.flag() ? [bits.read(8), bits.read(8), bits.read(8)] : [];
  if (isGray) {
    bits.skip(1); // color_range
    return { isGray, hasSeparateDeltas: false };
  }
  if (primaries === BT709 && transfer === SRGB && matrix === IDENTITY) {
    return { isGray, hasSeparateDeltas: bits.flag() };
  }
  bits.skip(1); // color_range
  const isHalfWide = isTwelveBit ? bits.flag() : profile !== 1; // subsampling_x
  const isHalfHigh = isTwelveBit ? isHalfWide && bits.flag() : profile === 0; // subsampling_y
  if (isHalfWide && isHalfHigh) bits.skip(2); // chroma_sample_position
  return { isGray, hasSeparateDeltas: bits.flag() };
}

/** Reads the fields from enable_interintra_compound to order_hint_bits_minus_1. */
function readInterTools(bits: BitReader): InterTools {
  bits.skip(4); // enable_interintra_compound to enable_dual_filter
  const hasOrderHint = bits.flag();
  if (hasOrderHint) bits.skip(2); // enable_jnt_comp, enable_ref_frame_mvs
  const screenTools = bits.flag() ? CHOSEN_PER_FRAME : bits.read(1);
  const isChosen = screenTools === 0 || bits.flag(); // seq_choose_integer_mv
  const integerMotion = isChosen ? CHOSEN_PER_FRAME : bits.read(1);
  return { screenTools, integerMotion, orderHintBits: hasOrderHint ? bits.read(3) + 1 : 0 };
}

/**
 * Skips the fields from timing_info_present_flag to the last operating point: sections 5.5.1, 5.5.3 and 5.5.4.
 * @returns whether there is a model of the decoder
 */
function skipOperatingPoints(bits: BitReader): boolean {
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
  return delayBits > 0;
}

/** Reads a sequence header from its payload; null when it ends early. */
export function sequenceOf(payload: Uint8Array): SequenceHeader | null {
  try {
    return readHeader(payload);
  } catch (error) {
    if (!(error instanceof Av1Error)) throw error;
    return null;
  }
}

/**
 * Returns the payload of the first sequence header; null when there is none.
 * @param head the first bytes of the data of a picture
 */
export function sequenceIn(head: Uint8Array): Uint8Array | null {
  try {
    for (const { type, payload } of obusIn(head)) if (type === SEQUENCE_HEADER) return payload;
  } catch (error) {
    if (!(error instanceof Av1Error)) throw error;
  }
  return null;
}

/** Reads the tools of frames; null when the first bytes of a picture contain no whole sequence header. */
export function sequenceTools(head: Uint8Array): SequenceTools | null {
  const payload = sequenceIn(head);
  return payload && sequenceOf(payload);
}
