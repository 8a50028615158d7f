/**
 * Chooses the tokens of alpha or of pixels in colour: the path of literals and matches that takes the fewest bits, by
 * what symbols are expected to take.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { ALPHA, BLUE, CACHED, costOf, LENGTHS, PLACES, RED } from "./symbol-costs";
import {
  commonPixels,
  enter,
  foundDistance,
  foundLength,
  hashedPixels,
  LONGEST,
  matchColours,
  nextLonger,
  pixelReach,
  pixelShift,
  startChain,
} from "./matches";
import { placeNumber, prefixExtraBits, prefixSymbol } from "./places";

/** A token: a literal, which is 0 in colour, or MATCH, its length minus one (12 bits), and the number of its place (19 bits). */
export const MATCH: u32 = 0x80000000;
export const LENGTH_SHIFT: u32 = 19;
export const PLACE_MASK: u32 = (1 << LENGTH_SHIFT) - 1;

/** The shortest match: a literal of one sample takes little, one of a colour may take more than a match. */
const SHORTEST_OF_SAMPLES: i32 = 3;
const SHORTEST_OF_COLOURS: i32 = 1;
let shortest: i32 = SHORTEST_OF_SAMPLES;
/** Matches that are farther away are looked for where no near one has this length. */
const SEARCHED_LENGTH: i32 = 64;
/** Up to this length, all lengths of a match are tried. */
const ALL_LENGTHS: i32 = 24;

/** The nearest places, by the number of pixels to the left and rows above. */
const NEAR_COUNT: usize = 12;
const LEFT_BY = memory.data<i8>([0, 1, 1, -1, 0, 2, 1, -1, 2, -2, 2, -2]);
const ABOVE_BY = memory.data<i8>([1, 0, 1, 1, 2, 0, 2, 2, 1, 1, 2, 2]);

/** The cost of reaching each place, in parts of a bit (u32). Tokens are collected at its end. */
let costs: usize = 0;
/** The token that ends at each place (u32). */
let steps: usize = 0;
let width = 0;
/** For each pixel in colour its place in the cache plus 1, or 0 if it is not there (u16). */
let cacheHits: usize = 0;
/** How far the nearest places lie before, and where the matches at them end (i32 each). */
const nearDistances = memory.data(4 * 12);
const nearEnds = memory.data(4 * 12);
/** The last match that is farther away. */
let farDistance = 0;
let farEnd = 0;
/** The cost of literals and matches from the present place, besides their own symbols. */
let base: u32 = 0;

/** @param mostPixels the most pixels whose path is chosen at once */
export function layOutPath(pictureWidth: i32, mostPixels: i32): boolean {
  setWidth(pictureWidth);
  costs = allocate(4 * (<u64>mostPixels + 1));
  steps = allocate(4 * (<u64>mostPixels + 1));
  return costs && steps ? true : false;
}

function setWidth(pixels: i32): void {
  width = pixels;
  for (let near: usize = 0; near < NEAR_COUNT; near++) {
    const distance = <i32>load<i8>(ABOVE_BY + near) * width + <i32>load<i8>(LEFT_BY + near);
    store<i32>(nearDistances + (near << 2), distance);
  }
}

/** Treats pixels as coloured from now on. */
export function chooseInColour(pictureWidth: i32, hits: usize): void {
  matchColours();
  setWidth(pictureWidth);
  cacheHits = hits;
  shortest = SHORTEST_OF_COLOURS;
}

/** Returns the cost of the pixel at `here` as a literal, or from the cache. */
@inline
function colourCost(place: i32, here: usize): u32 {
  const hit = <i32>load<u16>(cacheHits + ((<usize>place) << 1));
  if (hit > 0) return costOf(CACHED + hit - 1);
  const pixel = load<u32>(here);
  return (
    costOf((pixel >> 8) & 255) +
    costOf(RED + ((pixel >> 16) & 255)) +
    costOf(BLUE + (pixel & 255)) +
    costOf(ALPHA + (pixel >> 24))
  );
}

@inline
function reach(place: i32, cost: u32, token: u32): void {
  const at = costs + ((<usize>place) << 2);
  if (cost >= load<u32>(at)) return;
  store<u32>(at, cost);
  store<u32>(steps + ((<usize>place) << 2), token);
}

@inline
function lengthCost(length: i32): u32 {
  return costOf(LENGTHS + prefixSymbol(length - 1));
}

/** Tries a match of all lengths above `tried`, of long ones only the longest of each prefix. */
function tryMatch(place: i32, distance: i32, length: i32, tried: i32): void {
  const number = placeNumber(distance, width);
  const cost = base + costOf(PLACES + prefixSymbol(number));
  let next = max(tried + 1, shortest);
  while (next < length) {
    reach(place + next, cost + lengthCost(next), tokenOf(next, number));
    if (next < ALL_LENGTHS) {
      next++;
      continue;
    }
    // The last length with the prefix symbol of the next one.
    const symbol = prefixSymbol(next);
    const extra = prefixExtraBits(symbol);
    next = (((2 + (symbol & 1)) << extra) | ((1 << extra) - 1)) + 1;
  }
  reach(place + length, cost + lengthCost(length), tokenOf(length, number));
}

@inline
function tokenOf(length: i32, number: i32): u32 {
  return MATCH | ((<u32>length - 1) << LENGTH_SHIFT) | (<u32>number);
}

/**
 * Chooses the tokens of `count` pixels.
 * @param at where they are
 * @param first the place of the first in the picture
 * @param oldest the place of the first one that is held before them
 * @returns where the tokens are, up to `tokensEnd`
 */
export function choosePath(at: usize, count: i32, first: i32, oldest: i32): usize {
  memory.fill(costs, 0xff, 4 * (<usize>count + 1));
  memory.fill(nearEnds, 0, 4 * NEAR_COUNT);
  farEnd = 0;
  store<u32>(costs, 0);
  for (let place = 0; place < count; place++) {
    const here = at + ((<usize>place) << pixelShift);
    base = load<u32>(costs + ((<usize>place) << 2));
    if (pixelShift == 0) {
      const literal = <i32>load<u8>(here);
      reach(place + 1, base + costOf(literal), literal);
    } else reach(place + 1, base + colourCost(place, here), 0);
    tryMatches(place, here, first, oldest, count);
    if (place + hashedPixels <= count) enter(first + place, here);
  }
  return collect(count);
}

/** Tries the matches at the nearest places, then at one that is farther away. */
function tryMatches(place: i32, here: usize, first: i32, oldest: i32, count: i32): void {
  let longest = shortest - 1;
  const before = first + place - oldest;
  for (let near: usize = 0; near < NEAR_COUNT; near++) {
    const distance = load<i32>(nearDistances + (near << 2));
    if (distance <= 0 || distance > before || distance >= pixelReach) continue;
    const known = load<i32>(nearEnds + (near << 2));
    const end = known > place ? known : endOf(place, here, distance, count);
    if (known <= place) store<i32>(nearEnds + (near << 2), end);
    longest = tryUntil(end, known > place, place, distance, longest);
  }
  const goesOn = farEnd > place;
  if (goesOn) longest = tryUntil(farEnd, true, place, farDistance, longest);
  const most = min(LONGEST, count - place);
  if (longest >= SEARCHED_LENGTH || most < hashedPixels) return;
  startChain(here);
  while (nextLonger(first + place, here, oldest, most, longest)) {
    tryMatch(place, foundDistance, foundLength, longest);
    longest = foundLength;
    farDistance = foundDistance;
    farEnd = place + foundLength;
  }
}

/** Returns the place where the match `distance` pixels before ends. */
@inline
function endOf(place: i32, here: usize, distance: i32, count: i32): i32 {
  return place + commonPixels(here, here - ((<usize>distance) << pixelShift), count - place);
}

/**
 * Tries a match that ends at `end`, if it is longer than `longest`. When it goes on from the place before, that has
 * tried all its shorter lengths. @returns the length of the longest match then
 */
@inline
function tryUntil(end: i32, goesOn: boolean, place: i32, distance: i32, longest: i32): i32 {
  const length = min(end - place, LONGEST);
  if (length <= longest) return longest;
  tryMatch(place, distance, length, goesOn ? length - 1 : longest);
  return length;
}

/** The end of the tokens that `choosePath` returned. */
export let tokensEnd: usize = 0;

/** Follows the steps back, and writes their tokens in order to the end of the costs, which are not needed any more. */
function collect(count: i32): usize {
  tokensEnd = costs + 4 * (<usize>count + 1);
  let to = tokensEnd;
  for (let place = count; place > 0;) {
    const token = load<u32>(steps + ((<usize>place) << 2));
    to -= 4;
    store<u32>(to, token);
    place -= token & MATCH ? <i32>((token ^ MATCH) >> LENGTH_SHIFT) + 1 : 1;
  }
  return to;
}
