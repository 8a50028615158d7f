/**
 * How far matches are looked for. Bytes that are made of matches are given steps, which are kept while few are needed:
 * where most bytes lie within long matches, as in drawings, it is looked far, in bounded time.
 */

/** Least and most steps down a tree for one place of bytes that are made of matches: a share of those that are left. */
const LEAST_STEPS: i32 = 24;
const MOST_STEPS: i32 = 512;
const STEPS_LEFT_SHIFT: i32 = 10;
const STEPS_PER_BYTE: i32 = 12;
const MOST_STEPS_LEFT: i32 = 1 << 20;
let stepsLeft = MOST_STEPS_LEFT;
/** Most steps for mixed bytes, and for literals. */
const SOME_STEPS: i32 = 12;
const FEW_STEPS: i32 = 6;
/** Bytes are taken for literals while a piece of them took more symbols than this share of its bytes. */
const LITERAL_SHARE: f32 = 0.5;
/** Whether the next bytes are expected to be made of matches, for which it is worth to look further. */
export let areMatchesExpected: boolean = true;
let areLiteralsExpected: boolean = false;

export function expectMatches(areExpected: boolean): void {
  areMatchesExpected = areExpected;
}

/** Expects the next bytes to be like those of a piece of `length` bytes, which took so many symbols. */
export function expectSymbols(symbols: i32, length: i32): void {
  areLiteralsExpected = <f32>symbols > LITERAL_SHARE * <f32>length;
}

/** Allows for the steps of the next `bytes`. */
export function addSteps(bytes: i32): void {
  stepsLeft = min(max(stepsLeft, 0) + STEPS_PER_BYTE * bytes, MOST_STEPS_LEFT);
}

@inline
export function spendSteps(steps: i32): void {
  stepsLeft -= steps;
}

/** Returns the most steps down a tree for the next place. */
@inline
export function mostSteps(): i32 {
  if (areMatchesExpected) return max(LEAST_STEPS, min(MOST_STEPS, stepsLeft >> STEPS_LEFT_SHIFT));
  return areLiteralsExpected ? FEW_STEPS : SOME_STEPS;
}
