/** The symbols of a block about its palettes, and their colours (AV1 specification section 5.11.46). */
import { paletteCount } from "../block/context";
import { BIT, symbolCost } from "../coder/bit-cost";
import { cdfs } from "../coder/cdfs";
import { putBits, putSymbol } from "../coder/range-coder";
import { PALETTE_UV, PALETTE_UV_SIZE, PALETTE_Y, PALETTE_Y_SIZE } from "../tables/cdf-layout";
import { cache, mergeColours } from "./neighbours";

/** Symbols of a count of colours, from 2 on. */
const COUNTS: i32 = 7;
const COLOUR_BITS: i32 = 8;
/** Fewest bits of what a colour is above the one before it, and bits of how many more there are. */
const DELTA_BITS: i32 = 5;
const MORE_BITS: i32 = 2;
/** Fewest bits of a difference of Cr. */
const SECOND_BITS: i32 = 4;

/** Whether bits are coded, or only counted; and how many there were. */
let isPut = false;
let bitCount = 0;

function bits(value: i32, count: i32): void {
  bitCount += count;
  if (isPut) putBits(value, count);
}

/** Returns the distribution of whether there is a palette of luma. Sizes are log2. */
export function lumaFlagCdf(x: i32, y: i32, wide: i32, high: i32): usize {
  const context = i32(paletteCount(x, y, 0, true) > 0) + i32(paletteCount(x, y, 0, false) > 0);
  return cdfs + PALETTE_Y + <usize>((wide + high - 6) * 3 + context) * 4;
}

/** Returns the distribution of whether there is a palette of chroma. */
@inline
export function chromaFlagCdf(hasLuma: boolean): usize {
  return cdfs + PALETTE_UV + (hasLuma ? 4 : 0);
}

/** Returns the distribution of the count of colours, less 2. */
@inline
function countCdf(plane: i32, wide: i32, high: i32): usize {
  return cdfs + (plane > 0 ? PALETTE_UV_SIZE : PALETTE_Y_SIZE) + <usize>(wide + high - 6) * 14;
}

/** Codes the colours of luma, or those of Cb, which may repeat: those of neighbours, and how far apart others are. */
function codeColours(colours: usize, plane: i32, count: i32, x: i32, y: i32): void {
  const cached = mergeColours(plane, x, y, paletteCount(x, y, plane, true), paletteCount(x, y, plane, false));
  const least = i32(plane == 0);
  let known: u32 = 0;
  let rest = count;
  for (let i = 0; i < cached && rest > 0; i++) {
    let k = 0;
    while (k < count && load<u8>(colours + k) != load<u8>(cache + i)) k++;
    bits(i32(k < count), 1);
    if (k == count) continue;
    known |= 1 << k;
    rest--;
  }
  if (rest == 0) return;
  let widest = 0;
  let last = -1;
  for (let k = 0; k < count; k++) {
    if ((known >> k) & 1) continue;
    const colour = <i32>load<u8>(colours + k);
    if (last >= 0) widest = max(widest, colour - last - least);
    last = colour;
  }
  let deltaBits = max(DELTA_BITS, 32 - clz<i32>(widest));
  last = -1;
  for (let k = 0; k < count; k++) {
    if ((known >> k) & 1) continue;
    const colour = <i32>load<u8>(colours + k);
    if (last < 0) {
      bits(colour, COLOUR_BITS);
      if (rest > 1) bits(deltaBits - DELTA_BITS, MORE_BITS);
    } else {
      bits(colour - last - least, deltaBits);
      deltaBits = min(deltaBits, ceilLog2(256 - colour - least));
    }
    last = colour;
  }
}

@inline
function ceilLog2(value: i32): i32 {
  return value < 2 ? 0 : 32 - clz<i32>(value - 1);
}

/** Returns the cost of saying that luma has a palette, and of its colours. */
export function lumaPaletteCost(colours: usize, count: i32, x: i32, y: i32, wide: i32, high: i32): i32 {
  isPut = false;
  bitCount = 0;
  codeColours(colours, 0, count, x, y);
  const sizes = countCdf(0, wide, high);
  return (
    symbolCost(lumaFlagCdf(x, y, wide, high), 1, 2) + symbolCost(sizes, count - 2, COUNTS) + bitCount * BIT
  );
}

/** Codes whether luma, with its mode of DC_PRED, has a palette, and its colours. @param count 0 for none */
export function putLumaPalette(colours: usize, count: i32, x: i32, y: i32, wide: i32, high: i32): void {
  putSymbol(lumaFlagCdf(x, y, wide, high), i32(count > 0), 2);
  if (count == 0) return;
  putSymbol(countCdf(0, wide, high), count - 2, COUNTS);
  isPut = true;
  codeColours(colours, 0, count, x, y);
}

/** Returns the cost of the palette of chroma. @param colours of Cb, with those of Cr 8 bytes on; sizes are of luma */
export function chromaPaletteCost(
  colours: usize,
  count: i32,
  hasLuma: boolean,
  x: i32,
  y: i32,
  wide: i32,
  high: i32,
): i32 {
  isPut = false;
  bitCount = 0;
  codeColours(colours, 1, count, x, y);
  codeSecond(colours + 8, count);
  const sizes = countCdf(1, wide, high);
  return symbolCost(chromaFlagCdf(hasLuma), 1, 2) + symbolCost(sizes, count - 2, COUNTS) + bitCount * BIT;
}

/** Codes whether chroma, with its mode of DC_PRED, has a palette, and its colours. */
export function putChromaPalette(
  colours: usize,
  count: i32,
  hasLuma: boolean,
  x: i32,
  y: i32,
  wide: i32,
  high: i32,
): void {
  putSymbol(chromaFlagCdf(hasLuma), i32(count > 0), 2);
  if (count == 0) return;
  putSymbol(countCdf(1, wide, high), count - 2, COUNTS);
  isPut = true;
  codeColours(colours, 1, count, x, y);
  codeSecond(colours + 8, count);
}

/**
 * Returns how far a colour of Cr is from the one before it: -128 to 127, beyond either end of the scale if that is
 * nearer.
 */
@inline
function differenceAt(colours: usize, i: i32): i32 {
  return <i32>(<i8>(load<u8>(colours + i) - load<u8>(colours + i - 1)));
}

/** Codes the colours of Cr: as they are, or as differences where that takes fewer bits. */
function codeSecond(colours: usize, count: i32): void {
  let widest = 0;
  let signs = 0;
  for (let i = 1; i < count; i++) {
    const size = abs(differenceAt(colours, i));
    widest = max(widest, size);
    signs += i32(size > 0);
  }
  const size = max(SECOND_BITS, 32 - clz<i32>(widest));
  const areDifferences =
    size - SECOND_BITS < 1 << MORE_BITS &&
    MORE_BITS + COLOUR_BITS + size * (count - 1) + signs < COLOUR_BITS * count;
  bits(i32(areDifferences), 1);
  if (areDifferences) bits(size - SECOND_BITS, MORE_BITS);
  for (let i = 0; i < count; i++) {
    if (i == 0 || !areDifferences) {
      bits(<i32>load<u8>(colours + i), COLOUR_BITS);
      continue;
    }
    const difference = differenceAt(colours, i);
    bits(abs(difference), size);
    if (difference != 0) bits(i32(difference < 0), 1);
  }
}
