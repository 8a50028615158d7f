/** The symbols of a VP8L image (RFC 9649, 3.7.2), and which of them share a prefix code. */

/**
 * Prefixes of lengths follow the samples of green, then prefixes of places, as in
 * assembly/encoder/symbols/symbol-costs.ts.
 */
export const LENGTHS = 256;
export const PLACES = 280;
const CACHED = 320;
const RED = 1344;
const BLUE = 1600;
const ALPHA = 1856;
const ALL_SYMBOLS = 2112;

/** The symbols of a code, as ranges. A code without any has the symbol 0 alone. */
type Code = readonly (readonly [from: number, end: number])[];

export interface Alphabet {
  readonly symbols: number;
  /** The codes in their order: green with lengths and the cache, red, blue, alpha, places. */
  readonly codes: readonly Code[];
}

/** An image that has nothing but green. */
export const GREEN: Alphabet = {
  symbols: CACHED,
  codes: [[[0, PLACES]], [], [], [], [[PLACES, CACHED]]],
};

/** Returns the alphabet of an image in colour with a cache of `1 << cacheBits` places, or none. */
export const colours = (cacheBits: number): Alphabet => ({
  symbols: ALL_SYMBOLS,
  codes: [
    [
      [0, PLACES],
      [CACHED, CACHED + (cacheBits > 0 ? 2 ** cacheBits : 0)],
    ],
    [[RED, BLUE]],
    [[BLUE, ALPHA]],
    [[ALPHA, ALL_SYMBOLS]],
    [[PLACES, CACHED]],
  ],
});

/** Tokens as assembly/encoder/symbols/path.ts makes them. */
const MATCH = 0x80000000;
const LENGTH_SHIFT = 19;
const LENGTH_MASK = 0xfff;
const PLACE_MASK = 0x7ffff;

/** Goes through tokens: names the pixel at which each begins, then its symbols. */
export type Walk = (begin: (place: number) => void, add: (symbol: number) => void) => void;

export function prefixSymbol(value: number): number {
  if (value < 4) return value;
  const highest = 31 - Math.clz32(value);
  return 2 * highest + ((value >> (highest - 1)) & 1);
}

/** Returns the bits that follow a symbol. */
export function extraBits(symbol: number): number {
  if (symbol < LENGTHS || symbol >= CACHED) return 0;
  const prefix = symbol - (symbol < PLACES ? LENGTHS : PLACES);
  return prefix < 4 ? 0 : (prefix - 2) >> 1;
}

/** Adds the symbols of a match. @returns its pixels */
function addMatch(token: number, add: (symbol: number) => void): number {
  const length = (token >>> LENGTH_SHIFT) & LENGTH_MASK;
  add(LENGTHS + prefixSymbol(length));
  add(PLACES + prefixSymbol(token & PLACE_MASK));
  return length + 1;
}

/** Walks through tokens of alpha. */
export const alphaWalk =
  (tokens: Uint32Array): Walk =>
  (begin, add) => {
    let place = 0;
    for (const token of tokens) {
      begin(place);
      if (token >= MATCH) {
        place += addMatch(token, add);
      } else {
        add(token);
        place++;
      }
    }
  };

/** Walks through tokens of a picture, two numbers each (assembly/encoder/lossless/lossless-tokens.ts). */
export const colourWalk =
  (tokens: Uint32Array): Walk =>
  (begin, add) => {
    let place = 0;
    for (let at = 0; at < tokens.length; at += 2) {
      const [value, kind] = [tokens[at]!, tokens[at + 1]!];
      begin(place);
      if (kind >= MATCH) {
        place += addMatch(kind, add);
        continue;
      }
      if (kind > 0) add(CACHED + value);
      else {
        add((value >>> 8) & 255);
        add(RED + ((value >>> 16) & 255));
        add(BLUE + (value & 255));
        add(ALPHA + (value >>> 24));
      }
      place++;
    }
  };
