/**
 * Finds matches of pixels, each of one byte for alpha or of four in colour, along chains of places whose next pixels
 * have the same hash.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";

const HASH_BITS: u32 = 15;
const HASH_FACTOR: u32 = 0x9e3779b1;
const WIDE_HASH_FACTOR: u64 = 0x9e3779b97f4a7c15;
/** Pixels that are hashed: the next four of alpha, or two in colour. */
const HASHED_SAMPLES: i32 = 4;
const HASHED_COLOURS: i32 = 2;
const PLACES_PER_CHAIN: i32 = 24;
/** Most pixels of a match. */
export const LONGEST: i32 = 4096;

/** For each hash the last place plus 1 (u32). */
let heads: usize = 0;
/** For each place, modulo the reach, the one before it with the same hash, plus 1 (u32). */
let chain: usize = 0;
let chainMask: u32 = 0;
/** Matches reach back less than this many pixels, a power of two, and as many are held before the current band. */
export let pixelReach: i32 = 0;
/** The bytes of a pixel, as a shift: 0 for alpha, 2 in colour. */
export let pixelShift: usize = 0;
export let hashedPixels: i32 = HASHED_SAMPLES;

/** @param places how many places may be in reach, a power of two */
export function layOutMatches(places: i32): boolean {
  chainMask = places - 1;
  pixelReach = places;
  heads = allocate(4 << HASH_BITS);
  chain = allocate(4 * <u64>places);
  return heads && chain ? true : false;
}

/** Treats pixels as coloured from now on. */
export function matchColours(): void {
  pixelShift = 2;
  hashedPixels = HASHED_COLOURS;
}

export function forgetPlaces(): void {
  memory.fill(heads, 0, 4 << HASH_BITS);
}

@inline
function headOf(at: usize): usize {
  const hash =
    pixelShift == 0
      ? (load<u32>(at) * HASH_FACTOR) >> (32 - HASH_BITS)
      : <u32>((load<u64>(at) * WIDE_HASH_FACTOR) >> (64 - HASH_BITS));
  return heads + ((<usize>hash) << 2);
}

/** Enters the place whose pixel is at `at`. */
@inline
export function enter(place: i32, at: usize): void {
  const head = headOf(at);
  store<u32>(chain + ((<usize>(place & chainMask)) << 2), load<u32>(head));
  store<u32>(head, place + 1);
}

/** Returns the pixels that agree from two places on, up to `most`. */
@inline
export function commonPixels(a: usize, b: usize, most: i32): i32 {
  const end = most << (<i32>pixelShift);
  for (let i = 0; i < end; i += 8) {
    const difference = load<u64>(a + <usize>i) ^ load<u64>(b + <usize>i);
    if (difference) return min((i + <i32>(ctz(difference) >> 3)) >> (<i32>pixelShift), most);
  }
  return most;
}

/** The distance that the chain is searched for, and the place where it goes on. */
export let foundDistance = 0;
export let foundLength = 0;
let candidate: u32 = 0;
let left = 0;

/** Begins at the last place with the hash of the pixels at `at`. */
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
    if (from < oldest || distance >= pixelReach || distance <= 0) return false;
    const before = load<u32>(chain + ((<usize>(from & chainMask)) << 2));
    candidate = before < candidate ? before : 0;
    const other = at - ((<usize>distance) << pixelShift);
    const next = (<usize>longest) << pixelShift;
    if (longest >= most || load<u8>(other + next) != load<u8>(at + next)) continue;
    const length = commonPixels(at, other, most);
    if (length <= longest) continue;
    foundDistance = distance;
    foundLength = length;
    return true;
  }
  return false;
}
