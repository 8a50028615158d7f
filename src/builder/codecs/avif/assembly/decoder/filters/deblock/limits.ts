/** Limits of the deblocking filters by level (AV1 specification section 7.14.4), as vectors of four lanes. */
import { allocate } from "../../../../../../pixels/assembly/shared/arena";

const LEVELS = 64;
/** Bytes of a level: four lanes each of the limit, the limit of both sides, and the threshold of high variance. */
const LEVEL_BYTES = 24;
const LANES: i64 = 0x0001000100010001;

export const LIMITS_BYTES: u64 = LEVELS * LEVEL_BYTES;

let limits: usize = 0;

/** Allocates the table. @returns false when the memory is at its end */
export function layOutLimits(): boolean {
  limits = allocate(LIMITS_BYTES);
  return limits != 0;
}

/** Fills the table. Level 0 gets limits below 0, which no difference keeps, so nothing is filtered there. */
export function setLimits(sharpness: i32, bitDepth: i32): void {
  const scale = bitDepth - 8;
  const shift = i32(sharpness > 4) + i32(sharpness > 0);
  for (let level = 0; level < LEVELS; level++) {
    let limit = level >> shift;
    if (sharpness > 0) limit = min(limit, 9 - sharpness);
    limit = max(limit, 1);
    const sides = 2 * (level + 2) + limit;
    const at = limits + level * LEVEL_BYTES;
    store<i64>(at, level == 0 ? -1 : LANES * <i64>(limit << scale));
    store<i64>(at, level == 0 ? -1 : LANES * <i64>(sides << scale), 8);
    store<i64>(at, LANES * <i64>((level >> 4) << scale), 16);
  }
}

@inline
function pair(first: i32, second: i32, offset: usize): v128 {
  const low = v128.load64_zero(limits + first * LEVEL_BYTES + offset);
  return v128.load64_lane(limits + second * LEVEL_BYTES + offset, low, 1);
}

/** Returns the limits of four lanes of level `first` and four of level `second`. */
@inline
export function limitOf(first: i32, second: i32): v128 {
  return pair(first, second, 0);
}

@inline
export function sidesLimitOf(first: i32, second: i32): v128 {
  return pair(first, second, 8);
}

@inline
export function varianceOf(first: i32, second: i32): v128 {
  return pair(first, second, 16);
}
