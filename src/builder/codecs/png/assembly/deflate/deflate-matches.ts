/**
 * Finds where the next bytes occurred before, in the last 32 KB. All places of four bytes with the same hash form a
 * binary tree, sorted by the bytes that follow them, in which every way down ends at the longest match (as in Pavlov's
 * LZMA and Biggers' libdeflate). Places of three bytes are kept in a table of their own.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { commonBytes } from "../common-bytes";
import { followRun, isInsideRun, runDistance, slideRun, startRun } from "./deflate-run";
import { addSteps, mostSteps, spendSteps } from "./deflate-steps";
import { MOST_LENGTH } from "./deflate-symbols";
import {
  hashOf,
  lower,
  MOST_DISTANCE,
  SHORT_HASH_BITS,
  TREE_HASH_BITS,
  WINDOW_BYTES,
  WINDOW_MASK,
} from "./deflate-window";

/** The window, and as many bytes after it. A place is an index (u16) into both; 0 is none. */
const BUFFER_BYTES: i32 = 2 * WINDOW_BYTES;
/** Most bytes of a piece, for which matches are found at once. */
export const PIECE_BYTES: i32 = WINDOW_BYTES + MOST_LENGTH;
/** A place can enter its tree once the bytes of its longest match are there, by which it is sorted. */
const AHEAD_BYTES: i32 = MOST_LENGTH;
/** Bytes that may be read past the end. */
const SLACK_BYTES: u64 = 16;
/** The shortest match that the tree has, and that of the table beside it. */
export const TREE_BYTES: i32 = 4;
export const SHORT_BYTES: i32 = 3;
export const SHORT_MASK: u32 = 0xffffff;

/** Matches of a piece, a u32 each: the length, and the distance above MATCH_DISTANCE_SHIFT. */
const MOST_MATCHES: i32 = 98_496;
export const MATCH_DISTANCE_SHIFT: u32 = 16;
/** Most matches of a place: of each length one. If the longest is among them, it alone stays, so that a u8 counts them. */
const MOST_MATCHES_OF_PLACE: i32 = MOST_LENGTH - SHORT_BYTES + 1;

/** A match of so many bytes is taken whole. Where it lies, no others are looked for. */
const LONG_LENGTH: i32 = 258;

/** The last place of each hash of four bytes: the root of its tree (u16). */
export let roots: usize = 0;
/** For each place the roots of what sorts before and after it (u16 each). */
export let branches: usize = 0;
/** The last two places of each hash of three bytes (u16 each). */
export let shorts: usize = 0;
let buffer: usize = 0;
/** The first place that is not coded yet, and the end of the bytes. */
export let at: i32 = 0;
export let end: i32 = 0;
/** All places before this one are in the tables. */
export let entered: i32 = 0;

export function setEntered(place: i32): void {
  entered = place;
}

/** How many matches each place of the piece has (u8), and all of them, shorter ones of a place first. */
let counts: usize = 0;
let matches: usize = 0;
export let matchCount: i32 = 0;

/** Allocates the buffer and the trees. @returns false when the memory is at its end */
export function layOutMatches(): boolean {
  roots = allocate(2 << TREE_HASH_BITS);
  branches = allocate(4 * <u64>WINDOW_BYTES);
  shorts = allocate(4 << SHORT_HASH_BITS);
  buffer = allocate(<u64>BUFFER_BYTES + SLACK_BYTES);
  counts = allocate(PIECE_BYTES);
  matches = allocate(4 * <u64>MOST_MATCHES);
  return roots && branches && shorts && buffer && counts && matches ? true : false;
}

@inline
export function addressOf(place: i32): usize {
  return buffer + <usize>place;
}

@inline
export function isBufferFull(): boolean {
  return end == BUFFER_BYTES;
}

/** Returns the number of matches of a place of the piece. */
@inline
export function matchesOf(offset: i32): i32 {
  return load<u8>(counts + <usize>offset);
}

@inline
export function matchAt(index: i32): u32 {
  return load<u32>(matches + ((<usize>index) << 2));
}

@inline
export function advance(bytes: i32): void {
  at += bytes;
}

/** Takes up to `length` bytes of input. @returns how many */
export function fill(from: usize, length: usize): usize {
  const taken = min<usize>(length, <usize>(BUFFER_BYTES - end));
  memory.copy(buffer + <usize>end, from, taken);
  end += <i32>taken;
  return taken;
}

/** Drops the older half of a buffer whose bytes are all coded. @returns by how much all places have become smaller */
export function slide(): i32 {
  memory.copy(buffer, buffer + WINDOW_BYTES, <usize>(end - WINDOW_BYTES));
  at -= WINDOW_BYTES;
  end -= WINDOW_BYTES;
  entered -= WINDOW_BYTES;
  slideRun(WINDOW_BYTES);
  lower(roots, 2 << TREE_HASH_BITS);
  lower(branches, 4 * WINDOW_BYTES);
  lower(shorts, 4 << SHORT_HASH_BITS);
  return WINDOW_BYTES;
}

/** Returns whether there are bytes to code. */
@inline
export function hasPiece(isLast: boolean): boolean {
  return at < untilOf(isLast);
}

/** Returns where the bytes to code end: all that are there when no input follows, else those with enough after them. */
@inline
export function untilOf(isLast: boolean): i32 {
  return min(isLast ? end : end - AHEAD_BYTES, at + PIECE_BYTES);
}

/** Finds the matches of the bytes to code, or of as many as there is room for. @returns how many: they are the piece */
export function findMatches(isLast: boolean): i32 {
  for (; entered < at; entered++) enter(entered, false);
  matchCount = 0;
  const until = untilOf(isLast);
  addSteps(until - at);
  let skipped = 0;
  for (; entered < until && matchCount <= MOST_MATCHES - MOST_MATCHES_OF_PLACE; entered++) {
    const first = matchCount;
    if (skipped > 0) {
      skipped--;
      if (!isInsideRun(entered)) enter(entered, false);
    } else if (isInsideRun(entered)) {
      addMatch(MOST_LENGTH, runDistance);
      skipped = MOST_LENGTH - 1;
      followRun(entered, addressOf(entered), end);
    } else {
      const longest = enter(entered, true);
      if (longest >= LONG_LENGTH) {
        const match = matchAt(matchCount - 1);
        store<u32>(matches + ((<usize>first) << 2), match);
        matchCount = first + 1;
        skipped = longest - 1;
        startRun(entered, longest, <i32>(match >> MATCH_DISTANCE_SHIFT));
        followRun(entered, addressOf(entered), end);
      }
    }
    store<u8>(counts + <usize>(entered - at), <u8>(matchCount - first));
  }
  return entered - at;
}

@inline
function addMatch(length: i32, distance: i32): void {
  store<u32>(matches + ((<usize>matchCount) << 2), (<u32>length) | ((<u32>distance) << MATCH_DISTANCE_SHIFT));
  matchCount++;
}

@inline
function before(place: i32): usize {
  return branches + ((<usize>(place & WINDOW_MASK)) << 2);
}

/**
 * Makes `place` the root of its tree; its former root is split into the strings that sort before and after it.
 * @param isListed whether its matches are listed, longer and longer
 * @returns the length of the longest one
 */
function enter(place: i32, isListed: boolean): i32 {
  const most = min(end - place, MOST_LENGTH);
  if (most < TREE_BYTES) return 0;
  const here = buffer + <usize>place;
  const floor = max(place - MOST_DISTANCE, 1);
  const bytes = load<u32>(here);
  let longest = SHORT_BYTES - 1;
  const short = shorts + (hashOf(bytes & SHORT_MASK, SHORT_HASH_BITS) << 2);
  const pair = load<u32>(short);
  store<u32>(short, (pair << 16) | (<u32>place));
  if (isListed) {
    const first = <i32>(pair & 0xffff);
    const second = <i32>(pair >> 16);
    if (first >= floor && ((load<u32>(buffer + <usize>first) ^ bytes) & SHORT_MASK) == 0) {
      longest = SHORT_BYTES;
      addMatch(SHORT_BYTES, place - first);
    } else if (second >= floor && ((load<u32>(buffer + <usize>second) ^ bytes) & SHORT_MASK) == 0) {
      longest = SHORT_BYTES;
      addMatch(SHORT_BYTES, place - second);
    }
  }
  const root = roots + (hashOf(bytes, TREE_HASH_BITS) << 1);
  let candidate = <i32>load<u16>(root);
  store<u16>(root, <u16>place);
  const enough = min(most, LONG_LENGTH);
  // Where the next place that sorts before, and the next that sorts after, are attached.
  let less = before(place);
  let more = less + 2;
  let lessLength = 0;
  let moreLength = 0;
  let length = 0;
  const allowed = mostSteps();
  let steps = allowed;
  for (; steps > 0 && candidate >= floor; steps--) {
    const there = buffer + <usize>candidate;
    const branch = before(candidate);
    if (load<u8>(there + <usize>length) == load<u8>(here + <usize>length)) {
      length = commonBytes(here, there, length, most);
      if (length > longest) {
        longest = length;
        if (isListed && length > SHORT_BYTES) addMatch(length, place - candidate);
      }
      if (length >= enough) {
        store<u16>(less, load<u16>(branch));
        store<u16>(more, load<u16>(branch, 2));
        spendSteps(allowed - steps);
        return longest;
      }
    }
    if (load<u8>(there + <usize>length) < load<u8>(here + <usize>length)) {
      store<u16>(less, <u16>candidate);
      less = branch + 2;
      candidate = <i32>load<u16>(less);
      lessLength = length;
      length = min(length, moreLength);
    } else {
      store<u16>(more, <u16>candidate);
      more = branch;
      candidate = <i32>load<u16>(more);
      moreLength = length;
      length = min(length, lessLength);
    }
  }
  store<u16>(less, 0);
  store<u16>(more, 0);
  spendSteps(allowed - steps);
  return longest;
}
