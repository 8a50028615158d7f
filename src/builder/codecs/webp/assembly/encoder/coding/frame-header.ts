/** Writes everything before the modes in the first partition (RFC 6386, 9.2 to 9.11 and 19.2). */
import { putLiteral } from "./bool-coder";
import { DELTAS, indexDelta } from "../blocks/quantise";
import { putProbabilities } from "./probabilities";
import { SEGMENTS, segmentFilterLevel, segmentQuantiserIndex, segmentTree } from "../blocks/segments";

function putFlag(flag: boolean): void {
  putLiteral(flag ? 1 : 0, 1);
}

/** Writes an absolute value of a segment, with its presence flag and sign (9.3). */
function putSegmentValue(value: i32, bits: i32): void {
  putFlag(true);
  putLiteral(value, bits);
  putFlag(false);
}

function putSegments(): void {
  putFlag(true); // segmentation_enabled
  putFlag(true); // update_mb_segmentation_map
  putFlag(true); // update_segment_feature_data
  putFlag(true); // segment_feature_mode: absolute values
  for (let i = 0; i < SEGMENTS; i++) putSegmentValue(segmentQuantiserIndex(i), 7);
  for (let i = 0; i < SEGMENTS; i++) putSegmentValue(segmentFilterLevel(i), 6);
  for (let i = 0; i < SEGMENTS - 1; i++) {
    putFlag(true);
    putLiteral(segmentTree(i), 8);
  }
}

/** Writes by how much an index differs from that of luma's AC coefficients (9.6). */
function putDelta(delta: i32): void {
  putFlag(delta != 0);
  if (delta == 0) return;
  putLiteral(abs(delta), 4);
  putFlag(delta < 0);
}

/** Writes the header. @param skipProbability probability, of 256, that a macroblock has levels */
export function putFrameHeader(skipProbability: i32): void {
  putFlag(false); // color_space
  putFlag(false); // clamping_type: the decoder clamps
  putSegments();
  putFlag(false); // filter_type: normal
  putLiteral(segmentFilterLevel(0), 6);
  putLiteral(0, 3); // sharpness_level
  putFlag(false); // loop_filter_adj_enable
  putLiteral(0, 2); // log2_nbr_of_dct_partitions
  putLiteral(segmentQuantiserIndex(0), 7);
  for (let i = 0; i < DELTAS; i++) putDelta(indexDelta(i));
  putFlag(false); // refresh_entropy_probs: there is no next frame
  putProbabilities();
  putFlag(true); // mb_no_coeff_skip
  putLiteral(skipProbability, 8);
}
