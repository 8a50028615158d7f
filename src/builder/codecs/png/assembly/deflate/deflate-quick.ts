/**
 * Chooses the symbols of a piece in one pass: a match is taken unless the one that begins at the next place saves more.
 */
import {
  addSteps,
  enterUntil,
  findMatch,
  lengthAt,
  matchDistance,
  matchLength,
  setMatch,
} from "./deflate-chains";
import { distanceCost, lengthCost, literalCost, PART_BITS } from "./deflate-costs";
import { addressOf, at, MATCH_DISTANCE_SHIFT, setEntered } from "./deflate-matches";
import { setStep } from "./deflate-path";
import { distanceSymbol, LEAST_LENGTH, MOST_LENGTH } from "./deflate-symbols";

/**
 * The least saving of a match, in parts of a bit. A match makes the codes of other symbols longer, so a smaller saving
 * is a loss.
 */
const LEAST_SAVED: i32 = 1 << PART_BITS;
/** Most bytes of a match that are compared with what they cost as literals. Each further one is taken for one bit. */
const COMPARED_BYTES: i32 = 16;
/**
 * The greatest distance of a match in a flat area. The places inside it are alike: only some at its begin and its end
 * are entered, or chains would be long.
 */
const MOST_RUN_DISTANCE: i32 = 64;
const RUN_ENTRIES: i32 = 8;

/** The distance of a match in a flat area that may go on at the next place; 0 for none. */
let runDistance = 0;

/** Chooses symbols from `at` until `until`, which the last match may pass. */
export function chooseQuickly(until: i32): void {
  addSteps(until - at);
  let place = at;
  let isFound = false;
  while (place < until) {
    if (!isFound) {
      const goesOn = runDistance > 0 ? lengthAt(place, runDistance) : 0;
      if (goesOn == MOST_LENGTH) {
        setEntered(place + MOST_LENGTH);
        take(place, MOST_LENGTH, runDistance);
        place += MOST_LENGTH;
        continue;
      }
      enterUntil(place);
      setMatch(goesOn, runDistance);
      runDistance = 0;
      isFound = findMatch(place, max(goesOn, LEAST_LENGTH - 1)) || goesOn > LEAST_LENGTH;
    }
    if (isFound) {
      isFound = false;
      const length = matchLength;
      const distance = matchDistance;
      const saved = savedBy(place);
      if (saved >= LEAST_SAVED) {
        if (length < MOST_LENGTH) {
          enterUntil(place + 1);
          isFound = findMatch(place + 1, length - 1) && savedBy(place + 1) > saved;
        }
        if (!isFound) {
          takeNew(place, length, distance);
          place += length;
          continue;
        }
      }
    }
    setStep(place - at, 1);
    place++;
  }
  enterUntil(place);
}

function takeNew(place: i32, length: i32, distance: i32): void {
  take(place, length, distance);
  if (distance > MOST_RUN_DISTANCE) return;
  if (length > 2 * RUN_ENTRIES) {
    enterUntil(place + RUN_ENTRIES);
    setEntered(place + length - RUN_ENTRIES);
  }
  if (length == MOST_LENGTH) runDistance = distance;
}

@inline
function take(place: i32, length: i32, distance: i32): void {
  setStep(place - at, (<u32>length) | ((<u32>distance) << MATCH_DISTANCE_SHIFT));
}

/** Returns the parts of a bit that the last match saves over literals. */
function savedBy(place: i32): i32 {
  let saved = -(<i32>lengthCost(matchLength)) - <i32>distanceCost(distanceSymbol(matchDistance));
  const compared = min(matchLength, COMPARED_BYTES);
  for (let i = 0; i < compared; i++) saved += <i32>literalCost(load<u8>(addressOf(place + i)));
  return saved + ((matchLength - compared) << PART_BITS);
}
