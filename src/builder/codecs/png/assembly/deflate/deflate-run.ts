/** Follows a match that goes on beyond the most length, as in a flat area. */
import { commonBytes } from "../common-bytes";
import { MOST_LENGTH } from "./deflate-symbols";

/**
 * The greatest distance of a match that goes on and on, as in a flat area. The places inside it are alike, so that only
 * its last ones enter the trees. At greater distances all enter: the later place stays in the window for longer.
 */
const MOST_RUN_DISTANCE: i32 = 64;

/** The distance of the last long match, and where it ends, however long it is; it is followed as far as needed. */
export let runDistance: i32 = 0;
let runEnd: i32 = 0;

/** Sets the last long match. */
export function startRun(place: i32, length: i32, distance: i32): void {
  runDistance = distance;
  runEnd = place + length;
}

/** Lowers the place where the match ends. */
export function slideRun(by: i32): void {
  runEnd -= by;
}

/** Returns whether the longest match begins at `place` at the distance of the last long one, which is short. */
@inline
export function isInsideRun(place: i32): boolean {
  return place + MOST_LENGTH <= runEnd && runDistance <= MOST_RUN_DISTANCE;
}

/** Follows the last long match, which is known to go on at `place`, for up to twice the most length before `end`. */
export function followRun(place: i32, address: usize, end: i32): void {
  const most = min(end - place, 2 * MOST_LENGTH);
  runEnd = place + commonBytes(address, address - <usize>runDistance, runEnd - place, most);
}
