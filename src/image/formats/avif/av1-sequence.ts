/** Reads the sequence header of AV1 data, up to color_config(): AV1 specification section 5.5. */
import { Av1Error, BitReader } from "./av1-bits.ts";
import { OBU, obusIn } from "./av1-obu.ts";

/** The fields of sequence_header_obu() before color_config(). */
export interface SequenceStart {
  /** Positioned at color_config(). */
  bits: BitReader;
  profile: number;
  isStill: boolean;
  /** `reduced_still_picture_header`: the header omits fields that a still picture does not need. */
  isReduced: boolean;
  width: number;
  height: number;
  /** Index of the bit `use_128x128_superblock`, the first of the fields that describe the coding tools. */
  toolsAt: number;
  /** Side of a superblock in pixels: 64 or 128. */
  superblock: number;
  hasSuperres: boolean;
  hasCdef: boolean;
  /** `enable_restoration`: frames may be loop-restored. */
  hasRestoration: boolean;
}

const SELECT_SCREEN_CONTENT_TOOLS = 2;

/** @throws Av1Error when the header ends early */
export function readSequenceStart(bytes: Uint8Array): SequenceStart {
  const bits = new BitReader(bytes);
  const profile = bits.read(3);
  const [isStill, isReduced] = [bits.flag(), bits.flag()];
  if (isReduced) bits.skip(5);
  else skipOperatingPoints(bits);
  const [widthBits, heightBits] = [bits.read(4) + 1, bits.read(4) + 1];
  const [width, height] = [bits.read(widthBits) + 1, bits.read(heightBits) + 1];
  if (!isReduced && bits.flag()) bits.skip(7); // frame_id_numbers_present_flag and its two lengths
  const toolsAt = bits.at;
  const superblock = bits.flag() ? 128 : 64;
  bits.skip(2); // enable_filter_intra, enable_intra_edge_filter
  if (!isReduced) skipInterTools(bits);
  const hasSuperres = bits.flag();
  const [hasCdef, hasRestoration] = [bits.flag(), bits.flag()];
  const size = { width, height };
  return {
    bits,
    profile,
    isStill,
    isReduced,
    ...size,
    toolsAt,
    superblock,
    hasSuperres,
    hasCdef,
    hasRestoration,
  };
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
 * Whether the frames may be loop-restored, for which a decoder keeps one more frame. False when the bytes contain no
 * sequence header.
 * @param head the first bytes of the data of a picture
 */
export function mayBeRestored(head: Uint8Array): boolean {
  try {
    for (const { type, payload } of obusIn(head))
      if (type === OBU.sequenceHeader) return readSequenceStart(payload).hasRestoration;
  } catch (error) {
    if (!(error instanceof Av1Error)) throw error;
  }
  return false;
}
