/**
 * Finds one match per place, in a small part of the time that trees take. All places of four bytes with the same hash
 * form a chain (as RFC 1951, section 4, suggests). The row above, the last place of twelve bytes with the same hash,
 * and that of three bytes are looked at, too. The tables are those of the trees (deflate-matches.ts).
 */
import { commonBytes } from "../common-bytes";
import {
  addressOf,
  branches,
  end,
  entered,
  roots,
  setEntered,
  SHORT_BYTES,
  SHORT_MASK,
  shorts,
  TREE_BYTES,
} from "./deflate-matches";
import { MOST_LENGTH } from "./deflate-symbols";
import { hashOf, MOST_DISTANCE, SHORT_HASH_BITS, TREE_HASH_BITS, WINDOW_MASK } from "./deflate-window";

/** Bytes by which a long match is found. */
const LONG_BYTES: i32 = 12;
/** The table of long matches is the second half of that of short ones, of which one place per hash is kept here. */
const LONG_TABLE: usize = 2 << SHORT_HASH_BITS;
/** A match at a far distance must be longer than a near one by more than this, because the distance costs more. */
const FAR_GAIN: i32 = 1;

/**
 * Steps along chains that each byte adds to those that are left, most that are kept, and most and least steps for one
 * place: the 64th part of those left. So the time is bounded, and where few places are looked at, as in drawings, it is
 * looked far.
 */
const STEPS_PER_BYTE: i32 = 1;
const MOST_STEPS_LEFT: i32 = 1 << 18;
const MOST_STEPS: i32 = 128;
const LEAST_STEPS: i32 = 2;
const STEPS_LEFT_SHIFT: i32 = 6;
let stepsLeft = 0;

/** The distance of the row above; 0 when it is beyond the window. */
let rowDistance = 0;
/** The match that was found last. */
export let matchLength = 0;
export let matchDistance = 0;

/** Sets the distance of the row above, as filtered. */
export function setRowDistance(bytes: usize): void {
  rowDistance = bytes <= <usize>MOST_DISTANCE ? <i32>bytes : 0;
}

/** Allows for the steps of the next `bytes`. */
export function addSteps(bytes: i32): void {
  stepsLeft = min(stepsLeft, MOST_STEPS_LEFT) + STEPS_PER_BYTE * bytes;
}

@inline
export function lengthAt(place: i32, distance: i32): i32 {
  return commonBytes(addressOf(place), addressOf(place - distance), 0, min(end - place, MOST_LENGTH));
}

@inline
export function setMatch(length: i32, distance: i32): void {
  matchLength = length;
  matchDistance = distance;
}

@inline
function headOf(bytes: u32): usize {
  return roots + (hashOf(bytes, TREE_HASH_BITS) << 1);
}

@inline
function linkOf(place: i32): usize {
  return branches + ((<usize>(place & WINDOW_MASK)) << 1);
}

@inline
function shortOf(bytes: u32): usize {
  return shorts + (hashOf(bytes & SHORT_MASK, SHORT_HASH_BITS) << 1);
}

@inline
function longOf(place: i32): usize {
  const from = addressOf(place);
  const folded = (load<u64>(from) * 0x9e3779b97f4a7c15) ^ (<u64>load<u32>(from, 8) * 0x9e3779b1);
  const hash = (folded * 0x9e3779b97f4a7c15) >> (64 - SHORT_HASH_BITS);
  return shorts + LONG_TABLE + ((<usize>hash) << 1);
}

/** Enters all places before `until`, except the last ones of the input. */
@inline
export function enterUntil(until: i32): void {
  const last = min(until, end - LONG_BYTES + 1);
  let place = entered;
  for (; place < last; place++) {
    const head = headOf(load<u32>(addressOf(place)));
    store<u16>(linkOf(place), load<u16>(head));
    store<u16>(head, <u16>place);
    store<u16>(longOf(place), <u16>place);
  }
  setEntered(place);
}

/**
 * Finds a match of more than `least` bytes for those at `place`, and sets it as the last one. All places before
 * `place` must have been entered.
 * @returns whether there is one
 */
export function findMatch(place: i32, least: i32): boolean {
  const most = min(end - place, MOST_LENGTH);
  if (most < TREE_BYTES || most <= least) return false;
  const here = addressOf(place);
  const first = load<u32>(here);
  const floor = max(place - MOST_DISTANCE, 1);
  const short = shortOf(first);
  const near = <i32>load<u16>(short);
  store<u16>(short, <u16>place);

  let length = max(least, SHORT_BYTES);
  let candidate = <i32>load<u16>(headOf(first));
  // The nearest place costs the least.
  if (candidate >= floor) length = longer(place, place - candidate, length, 0);
  if (length < most && rowDistance > 0 && place - rowDistance >= floor)
    length = longer(place, rowDistance, length, FAR_GAIN);
  const far = <i32>load<u16>(longOf(place));
  if (length < most && far >= floor && far < place) length = longer(place, place - far, length, FAR_GAIN);

  const allowed = min(MOST_STEPS, max(LEAST_STEPS, stepsLeft >> STEPS_LEFT_SHIFT));
  let steps = allowed;
  for (; steps > 0 && length < most && candidate >= floor; steps--) {
    const there = addressOf(candidate);
    // A match can be longer only if it also agrees where the longest one so far ends.
    if (load<u32>(there + <usize>(length - 3)) == load<u32>(here + <usize>(length - 3)))
      length = longer(place, place - candidate, length, 0);
    candidate = <i32>load<u16>(linkOf(candidate));
  }
  stepsLeft -= allowed - steps;

  if (length > max(least, SHORT_BYTES)) return true;
  if (least >= SHORT_BYTES || near < floor || near >= place) return false;
  if (((load<u32>(addressOf(near)) ^ first) & SHORT_MASK) != 0) return false;
  setMatch(SHORT_BYTES, place - near);
  return true;
}

/** Sets the match at a distance as the last one if it is longer than `length + gain`. @returns the greater length */
@inline
function longer(place: i32, distance: i32, length: i32, gain: i32): i32 {
  const common = lengthAt(place, distance);
  if (common <= length + gain) return length;
  setMatch(common, distance);
  return common;
}
