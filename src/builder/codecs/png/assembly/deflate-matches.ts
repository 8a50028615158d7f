/**
 * Finds where the next bytes occurred before, in the last 32 KB. All places of four bytes with the same hash form a
 * chain (as RFC 1951, section 4, suggests).
 */
import { allocate } from "../../../pixels/assembly/shared/arena";
import { MOST_LENGTH } from "./deflate-symbols";

const WINDOW_BYTES: i32 = 32_768;
const WINDOW_MASK: i32 = WINDOW_BYTES - 1;
/** Deflate allows one more. At that distance, the entry of `before` already belongs to a later place. */
const MOST_DISTANCE: i32 = WINDOW_BYTES - 1;
/** The window, and as many bytes after it. A place is an index (u16) into both; 0 is none. */
const BUFFER_BYTES: i32 = 2 * WINDOW_BYTES;
/** Bytes that may be read past the end. */
const SLACK_BYTES: u64 = 16;
const HASH_BITS: u32 = 15;
const HASH_FACTOR: u32 = 0x9e3779b1;
/** The number of bytes that are hashed, which is the shortest match. */
const HASHED_BYTES: i32 = 4;
/**
 * Bytes that must be ready before a byte is coded, unless the input has ended: the longest match, and the next hash.
 */
const LEAST_AHEAD: i32 = MOST_LENGTH + HASHED_BYTES;
/** From this length on, no better match is looked for. */
export const GOOD_LENGTH: i32 = 130;

/** The last place of each hash, and for each place the one before it in its chain (u16). */
let heads: usize = 0;
let before: usize = 0;
let buffer: usize = 0;
/** The place of the next byte to be coded, and the end of the bytes. */
export let at: i32 = 0;
let end: i32 = 0;
/** All places before this one are in the chains. */
let entered: i32 = 0;

/** The match that `findMatch` found. */
export let matchLength: i32 = 0;
export let matchDistance: i32 = 0;

/** Allocates the buffer and the chains. @returns false when the memory is at its end */
export function layOutMatches(): boolean {
  heads = allocate(2 << HASH_BITS);
  before = allocate(2 * <u64>WINDOW_BYTES);
  buffer = allocate(<u64>BUFFER_BYTES + SLACK_BYTES);
  return heads && before && buffer ? true : false;
}

@inline
export function addressOf(place: i32): usize {
  return buffer + <usize>place;
}

@inline
export function bytesAhead(): i32 {
  return end - at;
}

/** Whether enough bytes are ready to code one. If not, more are needed first, unless the input has ended. */
@inline
export function hasEnough(): boolean {
  return end - at >= LEAST_AHEAD;
}

@inline
export function advance(bytes: i32): void {
  at += bytes;
}

/** Makes room for as many bytes as `hasEnough` needs. @returns by how much all places have become smaller */
export function makeRoom(): i32 {
  if (at < BUFFER_BYTES - LEAST_AHEAD) return 0;
  slide();
  return WINDOW_BYTES;
}

/** Takes up to `length` bytes of input. @returns how many */
export function fill(from: usize, length: usize): usize {
  const taken = min<usize>(length, <usize>(BUFFER_BYTES - end));
  memory.copy(buffer + <usize>end, from, taken);
  end += <i32>taken;
  return taken;
}

/** Drops the older half of the buffer. */
function slide(): void {
  memory.copy(buffer, buffer + WINDOW_BYTES, <usize>(end - WINDOW_BYTES));
  at -= WINDOW_BYTES;
  end -= WINDOW_BYTES;
  entered -= WINDOW_BYTES;
  lower(heads, 2 << HASH_BITS);
  lower(before, 2 * WINDOW_BYTES);
}

/** Lowers all places in a table by the size of the dropped half. Places in that half become 0. */
function lower(table: usize, bytes: usize): void {
  const by = i16x8.splat(<i16>WINDOW_BYTES);
  for (let entry = table; entry < table + bytes; entry += 16) {
    v128.store(entry, i16x8.sub_sat_u(v128.load(entry), by));
  }
}

/** Adds all places before `until` to the chains, except the last ones of the input, where no match can begin. */
@inline
export function enter(until: i32): void {
  const last = min(until, end - HASHED_BYTES + 1);
  for (; entered < last; entered++) {
    const head = headOf(load<u32>(buffer + <usize>entered));
    store<u16>(before + ((<usize>(entered & WINDOW_MASK)) << 1), load<u16>(head));
    store<u16>(head, <u16>entered);
  }
}

@inline
function headOf(bytes: u32): usize {
  return heads + <usize>((bytes * HASH_FACTOR) >> (32 - HASH_BITS)) * 2;
}

/**
 * Finds the longest match of more than `least` bytes for those at `place`, among the last `mostSteps` places with the
 * same hash, and stores it in `matchLength` and `matchDistance`. All places before `place` must be in the chains.
 * @returns false when there is none
 */
export function findMatch(place: i32, least: i32, mostSteps: i32): boolean {
  const most = min(end - place, MOST_LENGTH);
  if (most < HASHED_BYTES || most <= least) return false;
  const here = buffer + <usize>place;
  const first = load<u32>(here);
  const floor = max(place - MOST_DISTANCE, 1);
  let length = max(least, HASHED_BYTES - 1);
  let candidate = <i32>load<u16>(headOf(first));
  let found = false;
  for (let steps = mostSteps; steps > 0 && candidate >= floor; steps--) {
    const there = buffer + <usize>candidate;
    // A match can be longer only if it also agrees where the longest one so far ends.
    if (load<u32>(there + length - 3) == load<u32>(here + length - 3) && load<u32>(there) == first) {
      const common = commonBytes(here, there, most);
      if (common > length) {
        length = common;
        matchLength = common;
        matchDistance = place - candidate;
        found = true;
        if (length >= GOOD_LENGTH || length == most) break;
      }
    }
    candidate = <i32>load<u16>(before + ((<usize>(candidate & WINDOW_MASK)) << 1));
  }
  return found;
}

/** The number of bytes that agree, up to `most`. */
@inline
function commonBytes(a: usize, b: usize, most: i32): i32 {
  for (let i = 4; i < most; i += 8) {
    const difference = load<u64>(a + <usize>i) ^ load<u64>(b + <usize>i);
    if (difference) return min(i + <i32>(ctz(difference) >> 3), most);
  }
  return most;
}
