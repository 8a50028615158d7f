/** Chooses the symbols of a piece: the cheapest way from its first byte to its end, over literals and matches. */
import { allocate } from "../../../pixels/assembly/shared/arena";
import { distanceCost, lengthCost, literalCost } from "./deflate-costs";
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

const LENGTH_MASK: u32 = (1 << MATCH_DISTANCE_SHIFT) - 1;

/** For each place of the piece, what the way from there to the end costs (u32). */
let costs: usize = 0;
/** For each place the first step of that way, a u32 as of a match: for a literal 1, without a distance. */
let steps: usize = 0;

/** What a byte of the last way cost, in parts of which there are 2^BYTE_COST_BITS in a part of a bit. */
const BYTE_COST_BITS: u32 = 8;
let byteCost: u32 = 0;

/** Allocates the ways of a piece. @returns false when the memory is at its end */
export function layOutPath(): boolean {
  costs = allocate(4 * (<u64>PIECE_BYTES + 1 + MOST_LENGTH));
  steps = allocate(4 * <u64>PIECE_BYTES);
  return costs && steps ? true : false;
}

/** The step from the place `offset` bytes into the piece: a length, and the distance above MATCH_DISTANCE_SHIFT. */
@inline
export function stepAt(offset: i32): u32 {
  return load<u32>(steps + ((<usize>offset) << 2));
}

@inline
export function stepLength(step: u32): i32 {
  return <i32>(step & LENGTH_MASK);
}

/**
 * Finds the cheapest way through the piece of `length` bytes at `at`, whose matches have been found. Its last match may
 * reach past the end of the piece: the bytes there are taken to cost what those of the way before did.
 */
export function findPath(length: i32): void {
  for (let i = 0; i <= MOST_LENGTH; i++) {
    store<u32>(costs + ((<usize>(length + i)) << 2), (<u32>(MOST_LENGTH - i) * byteCost) >> BYTE_COST_BITS);
  }
  let index = matchCount;
  for (let offset = length - 1; offset >= 0; offset--) {
    const cost = costs + ((<usize>offset) << 2);
    let least = literalCost(load<u8>(addressOf(at + offset))) + load<u32>(cost, 4);
    let step: u32 = 1;
    const count = matchesOf(offset);
    index -= count;
    let taken = LEAST_LENGTH;
    for (let i = 0; i < count; i++) {
      const match = matchAt(index + i);
      const away = match >> MATCH_DISTANCE_SHIFT;
      const reach = stepLength(match);
      const distance = distanceCost(distanceSymbol(<i32>away));
      for (; taken <= reach; taken++) {
        const total = distance + lengthCost(taken) + load<u32>(cost + ((<usize>taken) << 2));
        if (total < least) {
          least = total;
          step = (<u32>taken) | (away << MATCH_DISTANCE_SHIFT);
        }
      }
    }
    store<u32>(cost, least);
    store<u32>(steps + ((<usize>offset) << 2), step);
  }
  if (length > 0) byteCost = <u32>(((<u64>load<u32>(costs)) << BYTE_COST_BITS) / <u64>length);
}
