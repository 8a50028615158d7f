/**
 * Finds matches in filtered alpha: at the nearest pixels in two dimensions, and along chains of places whose next four
 * bytes have the same hash.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { ALPHA_REACH } from "./sizes";

const HASH_BITS: u32 = 15;
const HASH_FACTOR: u32 = 0x9e3779b1;
export const HASHED_BYTES: i32 = 4;
const PLACES_PER_CHAIN: i32 = 24;
/** Most bytes of a match. */
export const LONGEST: i32 = 4096;

/** For each hash the last place plus 1 (u32). */
let heads: usize = 0;
/** For each place, modulo the reach, the one before it with the same hash, plus 1 (u32). */
let chain: usize = 0;
let chainMask: u32 = 0;

/** @param places how many places may be in reach, a power of two */
export function layOutMatches(places: i32): boolean {
  chainMask = places - 1;
  heads = allocate(4 << HASH_BITS);
  chain = allocate(4 * <u64>places);
  return heads && chain ? true : false;
}

export function forgetPlaces(): void {
  memory.fill(heads, 0, 4 << HASH_BITS);
}

@inline
function headOf(at: usize): usize {
  return heads + ((<usize>((load<u32>(at) * HASH_FACTOR) >> (32 - HASH_BITS))) << 2);
}

/** Enters the place whose bytes are at `at`. */
@inline
export function enter(place: i32, at: usize): void {
  const head = headOf(at);
  store<u32>(chain + ((<usize>(place & chainMask)) << 2), load<u32>(head));
  store<u32>(head, place + 1);
}

/** The bytes that agree from two places on, up to `most`. */
@inline
export function commonBytes(a: usize, b: usize, most: i32): i32 {
  for (let i = 0; i < most; i += 8) {
    const difference = load<u64>(a + <usize>i) ^ load<u64>(b + <usize>i);
    if (difference) return min(i + <i32>(ctz(difference) >> 3), most);
  }
  return most;
}

/** What the chain is searched for, and where it goes on. */
export let foundDistance = 0;
export let foundLength = 0;
let candidate: u32 = 0;
let left = 0;

/** Begins at the last place with the hash of the bytes at `at`. */
@inline
export function startChain(at: usize): void {
  candidate = load<u32>(headOf(at));
  left = PLACES_PER_CHAIN;
}

/**
 * Looks for the next match on the chain that is longer than `longest`.
 * @param oldest the first place that is still held
 * @returns false when there is none
 */
export function nextLonger(place: i32, at: usize, oldest: i32, most: i32, longest: i32): boolean {
  while (candidate > 0 && left-- > 0) {
    const from = <i32>candidate - 1;
    const distance = place - from;
    if (from < oldest || distance >= ALPHA_REACH || distance <= 0) return false;
    const before = load<u32>(chain + ((<usize>(from & chainMask)) << 2));
    candidate = before < candidate ? before : 0;
    const other = at - <usize>distance;
    if (longest >= most || load<u8>(other + longest) != load<u8>(at + longest)) continue;
    const length = commonBytes(at, other, most);
    if (length <= longest) continue;
    foundDistance = distance;
    foundLength = length;
    return true;
  }
  return false;
}
