/** Chooses the symbols of a piece: the cheapest way from its first byte to its end, over literals and matches. */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { distanceCost, LENGTH_BITS, LENGTH_MASK, lengthKeys, literalCost } from "./deflate-costs";
import {
  addressOf,
  at,
  MATCH_DISTANCE_SHIFT,
  matchAt,
  matchCount,
  matchesOf,
  PIECE_BYTES,
} from "./deflate-matches";
import { distanceSymbol, LEAST_LENGTH, MOST_LENGTH } from "./deflate-symbols";

const STEP_LENGTH_MASK: u32 = (1 << MATCH_DISTANCE_SHIFT) - 1;

/**
 * For each place of the piece, the cost of the way from there to the end, above LENGTH_BITS zeros (u32): for a piece of
 * 33,000 bytes of 14 bits, in 16 parts of a bit, 23 bits are enough.
 */
let costs: usize = 0;
/** For each place the first step of that way, a u32 as of a match: for a literal 1, without a distance. */
let steps: usize = 0;

/** The cost of a byte of the last way, in parts of which there are 2^BYTE_COST_BITS in a part of a bit. */
const BYTE_COST_BITS: u32 = 8;
let byteCost: u32 = 0;

/** Allocates the ways of a piece. @returns false when the memory is at its end */
export function layOutPath(): boolean {
  costs = allocate(4 * (<u64>PIECE_BYTES + 1 + MOST_LENGTH));
  steps = allocate(4 * <u64>PIECE_BYTES);
  return costs && steps ? true : false;
}

/**
 * Returns the step from the place `offset` bytes into the piece: a length, and the distance above MATCH_DISTANCE_SHIFT.
 */
@inline
export function stepAt(offset: i32): u32 {
  return load<u32>(steps + ((<usize>offset) << 2));
}

@inline
export function setStep(offset: i32, step: u32): void {
  store<u32>(steps + ((<usize>offset) << 2), step);
}

@inline
export function stepLength(step: u32): i32 {
  return <i32>(step & STEP_LENGTH_MASK);
}

/**
 * Finds the cheapest way through the piece of `length` bytes at `at`, whose matches have been found. Its last match may
 * reach past the end of the piece: the bytes there are taken to cost what those of the way before did.
 */
export function findPath(length: i32): void {
  for (let i = 0; i <= MOST_LENGTH; i++) {
    const rest = (<u32>(MOST_LENGTH - i) * byteCost) >> BYTE_COST_BITS;
    store<u32>(costs + ((<usize>(length + i)) << 2), rest << LENGTH_BITS);
  }
  let index = matchCount;
  for (let offset = length - 1; offset >= 0; offset--) {
    const cost = costs + ((<usize>offset) << 2);
    let least = (literalCost(load<u8>(addressOf(at + offset))) << LENGTH_BITS) + load<u32>(cost, 4);
    let step: u32 = 1;
    const count = matchesOf(offset);
    index -= count;
    let taken = LEAST_LENGTH;
    for (let i = 0; i < count; i++) {
      const match = matchAt(index + i);
      const away = match >> MATCH_DISTANCE_SHIFT;
      const reach = stepLength(match);
      const key = leastKey(cost, taken, reach);
      const total = (distanceCost(distanceSymbol(<i32>away)) << LENGTH_BITS) + (key & ~LENGTH_MASK);
      taken = reach + 1;
      if (total < least) {
        least = total;
        step = (key & LENGTH_MASK) | (away << MATCH_DISTANCE_SHIFT);
      }
    }
    store<u32>(cost, least);
    store<u32>(steps + ((<usize>offset) << 2), step);
  }
  if (length > 0)
    byteCost = <u32>(((<u64>(load<u32>(costs) >> LENGTH_BITS)) << BYTE_COST_BITS) / <u64>length);
}

/**
 * Adds what each length from `from` to `to` costs to what the way after it costs, from the place of `cost` on.
 * @returns the least sum above the length that it belongs to, the shortest of several
 */
@inline
function leastKey(cost: usize, from: i32, to: i32): u32 {
  let least = u32.MAX_VALUE;
  let length = <usize>from;
  const end = <usize>to;
  if (length + 3 <= end) {
    let four = i32x4.splat(-1);
    for (; length + 3 <= end; length += 4) {
      const after = v128.load(cost + (length << 2));
      four = i32x4.min_u(four, i32x4.add(after, v128.load(lengthKeys + (length << 2))));
    }
    const two = i32x4.min_u(four, v128.shuffle<i32>(four, four, 2, 3, 0, 1));
    least = min(<u32>i32x4.extract_lane(two, 0), <u32>i32x4.extract_lane(two, 1));
  }
  for (; length <= end; length++) {
    least = min(least, load<u32>(cost + (length << 2)) + load<u32>(lengthKeys + (length << 2)));
  }
  return least;
}
