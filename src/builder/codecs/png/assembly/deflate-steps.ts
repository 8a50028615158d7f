/** How far matches are looked for: the less the bytes are made of them, the less far. */

/** Most steps down a tree: for bytes that are made of matches, for mixed ones, and for literals. */
const MOST_STEPS: i32 = 40;
const SOME_STEPS: i32 = 6;
const FEW_STEPS: i32 = 2;
/** Bytes are taken for literals while a piece of them took more symbols than this share of its bytes. */
const LITERAL_SHARE: f32 = 0.5;
/** Whether the next bytes are expected to be made of matches, for which it is worth to look further. */
let areMatchesExpected: boolean = true;
let areLiteralsExpected: boolean = false;

export function expectMatches(areExpected: boolean): void {
  areMatchesExpected = areExpected;
}

/** Expects the next bytes to be like those of a piece of `length` bytes, which took so many symbols. */
export function expectSymbols(symbols: i32, length: i32): void {
  areLiteralsExpected = <f32>symbols > LITERAL_SHARE * <f32>length;
}

/** Most steps down a tree for the next place. */
@inline
export function mostSteps(): i32 {
  return areMatchesExpected ? MOST_STEPS : areLiteralsExpected ? FEW_STEPS : SOME_STEPS;
}
