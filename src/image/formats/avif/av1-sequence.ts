/** What the sequence header of AV1 data tells of decoding them: AV1 specification section 5.5. */

const SEQUENCE_HEADER = 1;
const HAS_SIZE = 0b010;
const HAS_EXTENSION = 0b100;
const SELECT_SCREEN_CONTENT_TOOLS = 2;

/** Bits, most significant first; zeros after the last. */
class Bits {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** f(count). */
  read(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, this.#at++) {
      value = value * 2 + (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1);
    }
    return value;
  }

  flag = (): boolean => this.read(1) === 1;

  /** Passes a uvlc(): section 4.10.3. */
  skipUvlc(): void {
    let zeros = 0;
    while (zeros < 32 && !this.flag()) zeros++;
    if (zeros < 32) this.read(zeros);
  }
}

/**
 * Whether the frames may be loop-restored, for which a decoder keeps a frame more: `enable_restoration`. False when
 * the header is not among the bytes.
 * @param head how the data of a picture begin
 */
export function mayBeRestored(head: Uint8Array): boolean {
  for (let at = 0; at < head.length;) {
    const first = head[at++]!;
    if (first & HAS_EXTENSION) at += 1;
    let size = head.length - at;
    if (first & HAS_SIZE) {
      size = 0;
      for (let shift = 0; shift < 28; shift += 7) {
        const byte = head[at++] ?? 0;
        size |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
    }
    if (((first >> 3) & 15) === SEQUENCE_HEADER) return restoration(new Bits(head.subarray(at, at + size)));
    at += size;
  }
  return false;
}

/** sequence_header_obu(), up to enable_restoration. */
function restoration(bits: Bits): boolean {
  bits.read(4); // seq_profile, still_picture
  const isReduced = bits.flag();
  if (isReduced) bits.read(5);
  else skipOperatingPoints(bits);
  const [widthBits, heightBits] = [bits.read(4) + 1, bits.read(4) + 1];
  bits.read(widthBits);
  bits.read(heightBits);
  if (!isReduced && bits.flag()) bits.read(7); // frame_id_numbers_present_flag and its two lengths
  bits.read(3); // use_128x128_superblock, enable_filter_intra, enable_intra_edge_filter
  if (!isReduced) {
    bits.read(4); // enable_interintra_compound to enable_dual_filter
    const hasOrderHint = bits.flag();
    if (hasOrderHint) bits.read(2); // enable_jnt_comp, enable_ref_frame_mvs
    const screenContent = bits.flag() ? SELECT_SCREEN_CONTENT_TOOLS : bits.read(1);
    if (screenContent > 0 && !bits.flag()) bits.read(1); // seq_choose_integer_mv, seq_force_integer_mv
    if (hasOrderHint) bits.read(3);
  }
  bits.read(2); // enable_superres, enable_cdef
  return bits.flag();
}

/** timing_info_present_flag to the last operating point: sections 5.5.1, 5.5.3 and 5.5.4. */
function skipOperatingPoints(bits: Bits): void {
  let delayBits = 0;
  const hasTiming = bits.flag();
  if (hasTiming) {
    bits.read(64); // num_units_in_display_tick, time_scale
    if (bits.flag()) bits.skipUvlc(); // equal_picture_interval
    if (bits.flag()) {
      delayBits = bits.read(5) + 1;
      bits.read(42); // num_units_in_decoding_tick, and two lengths
    }
  }
  const hasDelays = bits.flag(); // initial_display_delay_present_flag
  const count = bits.read(5) + 1;
  for (let i = 0; i < count; i++) {
    bits.read(12); // operating_point_idc
    if (bits.read(5) > 7) bits.read(1); // seq_level_idx, seq_tier
    if (delayBits > 0 && bits.flag()) bits.read(2 * delayBits + 1);
    if (hasDelays && bits.flag()) bits.read(4);
  }
}
