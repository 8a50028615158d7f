/** Writes the headers of a still picture (AV1 specification sections 5.5 and 5.9). */
import { levelOf } from "./av1-levels.ts";
import { type TiledFrame, writeTileInfo } from "./av1-tiles.ts";
import { BitWriter } from "./bit-writer.ts";

/** The settings of a picture in the headers. */
export interface StillFrame extends TiledFrame {
  chroma: "420" | "444" | "none";
  /** Quantiser index, 1 to 255, and the differences for the first and the other coefficients of chroma. */
  baseIndex: number;
  chromaDc: number;
  chromaAc: number;
  /** Level of the quantisation matrices, 0 the steepest to 14; NO_MATRIX for none. */
  matrix: number;
  /** Whether blocks may have palettes. */
  isDrawing: boolean;
  /** Level of deblocking, 0 to 63. Decoders run it over the reconstruction; predictions come before it. */
  deblocking: number;
}

/** The module says changes of the quantiser in units of 1 << 2 (assembly/search/activity.ts). */
const DELTA_RESOLUTION = 2;
/** Level without quantisation matrices. */
export const NO_MATRIX = 15;
/** Colour of ITU-T H.273: primaries of BT.709, transfer of sRGB, matrix of BT.601. */
const COLOUR = [1, 13, 6];
const UNSPECIFIED = [2, 2, 2];

export function sequenceHeader({ width, height, chroma }: StillFrame): Uint8Array<ArrayBuffer> {
  const out = new BitWriter();
  out.write(chroma === "444" ? 1 : 0, 3); // seq_profile
  out.write(0b11, 2); // still_picture, reduced_still_picture_header
  out.write(levelOf(width, height), 5);
  const bitsFor = (size: number): number => Math.max(1, Math.ceil(Math.log2(size)));
  out.write(bitsFor(width) - 1, 4);
  out.write(bitsFor(height) - 1, 4);
  out.write(width - 1, bitsFor(width));
  out.write(height - 1, bitsFor(height));
  // use_128x128_superblock, filter intra, intra edge filter, superres, CDEF, restoration
  out.write(0, 6);
  out.write(0, 1); // high_bitdepth
  if (chroma !== "444") out.write(chroma === "none" ? 1 : 0, 1);
  out.write(1, 1); // color_description_present_flag
  for (const code of chroma === "none" ? UNSPECIFIED : COLOUR) out.write(code, 8);
  out.write(1, 1); // color_range
  if (chroma === "420") out.write(0, 2); // chroma_sample_position
  if (chroma !== "none") out.write(0, 1); // separate_uv_delta_q
  out.write(0, 1); // film_grain_params_present
  out.write(1, 1); // trailing_bits()
  return out.bytes();
}

/** Returns the header of the frame, padded to whole bytes. The data of the tiles follow. */
export function frameHeader(frame: StillFrame): Uint8Array<ArrayBuffer> {
  const { chroma, baseIndex, chromaDc, chromaAc } = frame;
  const out = new BitWriter();
  out.write(0, 1); // disable_cdf_update
  out.write(frame.isDrawing ? 0b11 : 0, frame.isDrawing ? 2 : 1); // allow_screen_content_tools, force_integer_mv
  out.write(0, 1); // render_and_frame_size_different
  if (frame.isDrawing) out.write(0, 1); // allow_intrabc
  writeTileInfo(out, frame);
  out.write(baseIndex, 8);
  writeDelta(out, 0);
  if (chroma !== "none") {
    writeDelta(out, chromaDc);
    writeDelta(out, chromaAc);
  }
  const hasMatrix = frame.matrix !== NO_MATRIX;
  out.write(hasMatrix ? 1 : 0, 1); // using_qmatrix
  // qm_y and qm_u, which is there without chroma too.
  if (hasMatrix) for (let i = 0; i < 2; i++) out.write(frame.matrix, 4);
  out.write(0, 1); // segmentation_enabled
  out.write(1, 1); // delta_q_present
  out.write(DELTA_RESOLUTION, 2); // delta_q_res
  out.write(0, 1); // delta_lf_present
  writeDeblocking(out, frame);
  out.write(0b10, 2); // tx_mode_select, reduced_tx_set
  return out.bytes();
}

/** Writes loop_filter_params(), section 5.9.11: luma across both kinds of edges, Cb and Cr. */
function writeDeblocking(out: BitWriter, { chroma, deblocking }: StillFrame): void {
  const levels = chroma === "none" || deblocking === 0 ? 2 : 4;
  for (let i = 0; i < levels; i++) out.write(deblocking, 6);
  out.write(0, 4); // loop_filter_sharpness, loop_filter_delta_enabled
}

/** Writes read_delta_q(): a flag, and su(7). */
function writeDelta(out: BitWriter, delta: number): void {
  out.write(delta === 0 ? 0 : 1, 1);
  if (delta !== 0) out.write(delta & 0x7f, 7);
}
