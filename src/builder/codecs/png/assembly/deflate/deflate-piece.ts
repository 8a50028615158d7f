/** Chooses the symbols of a piece by what they cost, and counts them. */
import { assumeCosts, setCosts } from "./deflate-costs";
import { count } from "./deflate-codes";
import { addressOf, at, MATCH_DISTANCE_SHIFT } from "./deflate-matches";
import { findPath, stepAt, stepLength } from "./deflate-path";
import { chooseQuickly } from "./deflate-quick";
import { areMatchesExpected } from "./deflate-steps";
import { DISTANCE_SYMBOLS, distanceSymbol, LENGTH_SYMBOLS, lengthSymbol } from "./deflate-symbols";

/** Frequencies of the symbols of the piece: literals and lengths, and distances. */
export const pieceLengths = memory.data(4 * LENGTH_SYMBOLS);
export const pieceDistances = memory.data(4 * DISTANCE_SYMBOLS);
export let pieceSymbols: i32 = 0;
let isFirstPiece = true;

/**
 * Chooses the way through the piece of `length` bytes, whose matches have been found: by the costs that are set, or for
 * the first piece by a guess, and then once more by what that came to.
 */
export function choosePath(length: i32): void {
  if (isFirstPiece) {
    isFirstPiece = false;
    assumeCosts(countBytes(length));
    findPath(length);
    countPiece(length);
    setCosts(pieceLengths, pieceDistances);
  }
  findPath(length);
  countPiece(length);
  if (areMatchesExpected) return;
  // The costs of literals are most of a photograph, and differ from piece to piece.
  setCosts(pieceLengths, pieceDistances);
  findPath(length);
  countPiece(length);
}

/** Counts the bytes of the piece. @returns the table */
function countBytes(length: i32): usize {
  memory.fill(pieceLengths, 0, 4 * LENGTH_SYMBOLS);
  for (let offset = 0; offset < length; offset++) count(pieceLengths, load<u8>(addressOf(at + offset)));
  return pieceLengths;
}

/** Chooses the symbols from `at` to `until` in one pass. */
export function choosePieceQuickly(until: i32): void {
  if (isFirstPiece) {
    isFirstPiece = false;
    assumeCosts(countBytes(until - at));
  }
  chooseQuickly(until);
  countPiece(until - at);
}

function countPiece(length: i32): void {
  memory.fill(pieceLengths, 0, 4 * LENGTH_SYMBOLS);
  memory.fill(pieceDistances, 0, 4 * DISTANCE_SYMBOLS);
  pieceSymbols = 0;
  for (let offset = 0; offset < length; pieceSymbols++) {
    const step = stepAt(offset);
    const taken = stepLength(step);
    if (taken == 1) {
      count(pieceLengths, load<u8>(addressOf(at + offset)));
    } else {
      count(pieceLengths, lengthSymbol(taken));
      count(pieceDistances, distanceSymbol(<i32>(step >> MATCH_DISTANCE_SHIFT)));
    }
    offset += taken;
  }
}
