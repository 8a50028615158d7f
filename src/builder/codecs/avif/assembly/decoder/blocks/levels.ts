/** The deblocking levels of a block (AV1 specification section 7.14.4), for reference frames that are the frame itself. */
import {
  hasReferenceDeltas,
  intraDelta,
  loopFilterLevelH,
  loopFilterLevelU,
  loopFilterLevelV,
  loopFilterLevelW,
} from "../headers/filter-params";
import {
  featureValue,
  hasFeature,
  hasLevelDeltas,
  hasManyLevelDeltas,
  SEGMENT_LEVEL,
} from "../headers/quantisation";
import { segment } from "./segment";
import { levelDelta } from "./tile";

const MOST_LEVEL: i32 = 63;

@inline
function limited(level: i32): i32 {
  return min(max(level, 0), MOST_LEVEL);
}

/** Returns level `i`: luma across vertical and horizontal edges, Cb, Cr. */
function levelOf(i: i32, frameLevel: i32): u32 {
  let level = frameLevel;
  if (hasLevelDeltas) level = limited(level + levelDelta(hasManyLevelDeltas ? i : 0));
  if (hasFeature(segment, SEGMENT_LEVEL + i))
    level = limited(level + featureValue(segment, SEGMENT_LEVEL + i));
  if (hasReferenceDeltas) level = limited(level + (intraDelta << (level >> 5)));
  return (<u32>level) << (8 * i);
}

/** Returns the four levels, a byte each. */
export function blockLevels(): u32 {
  return (
    levelOf(0, loopFilterLevelV) |
    levelOf(1, loopFilterLevelH) |
    levelOf(2, loopFilterLevelU) |
    levelOf(3, loopFilterLevelW)
  );
}
