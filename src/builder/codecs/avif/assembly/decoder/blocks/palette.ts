/** Reads the palettes of a block (AV1 specification section 5.11.46). */
import { bitDepth } from "../headers/sequence";
import { cdfs, readBool, readLiteral, readSymbol2 } from "../symbols/decoder";
import { readSymbol8 } from "../symbols/wide";
import {
  PALETTE_UV as UV_CDF,
  PALETTE_UV_SIZE,
  PALETTE_Y as Y_CDF,
  PALETTE_Y_SIZE,
} from "../tables/cdf-layout";
import { abovePalette, aboveValue, leftPalette, leftValue, PALETTE_UV, PALETTE_Y, setBoth } from "./contexts";
import { blockColumn, blockRow, hasLeft, high, highLog2, sbRow, wide, wideLog2 } from "./position";

export let paletteSizeY: i32 = 0;
export let paletteSizeUV: i32 = 0;

/** Values (u16) of the palettes of the block: eight of each plane. They are not read again after the block. */
const values = memory.data(3 * 16, 16);
/** The palettes above and to the left, merged (u16). */
const cache = memory.data(16 * 2, 16);

/** Returns the palette of a plane. */
@inline
export function paletteOf(plane: i32): usize {
  return values + ((<usize>plane) << 4);
}

export function noPalettes(): void {
  paletteSizeY = 0;
  paletteSizeUV = 0;
}

/** Appends a value to the cache if it is not there. @returns the count of values */
function remember(count: i32, value: u16): i32 {
  const at = cache + ((<usize>count) << 1);
  if (count > 0 && load<u16>(at - 2) == value) return count;
  store<u16>(at, value);
  return count + 1;
}

/** Implements get_palette_cache(). */
function fillCache(plane: i32): i32 {
  const kind = plane == 0 ? PALETTE_Y : PALETTE_UV;
  // Palettes do not reach over the edge of a row of 64.
  let aboveLeft = (blockRow & 15) != 0 ? aboveValue(kind, blockColumn) : 0;
  let leftLeft = hasLeft ? leftValue(kind, sbRow) : 0;
  let above = abovePalette(plane, blockColumn);
  let left = leftPalette(plane, sbRow);
  let count = 0;
  while (aboveLeft > 0 && leftLeft > 0) {
    const a = load<u16>(above);
    const b = load<u16>(left);
    count = remember(count, min(a, b));
    if (b <= a) {
      left += 2;
      leftLeft--;
    }
    if (a <= b) {
      above += 2;
      aboveLeft--;
    }
  }
  for (; aboveLeft > 0; aboveLeft--, above += 2) count = remember(count, load<u16>(above));
  for (; leftLeft > 0; leftLeft--, left += 2) count = remember(count, load<u16>(left));
  return count;
}

/** Sorts `size` values. */
function sort(at: usize, size: i32): void {
  for (let i = 1; i < size; i++) {
    const value = load<u16>(at + (i << 1));
    let place = i;
    for (; place > 0 && load<u16>(at + (place << 1) - 2) > value; place--) {
      store<u16>(at + (place << 1), load<u16>(at + (place << 1) - 2));
    }
    store<u16>(at + (place << 1), value);
  }
}

/** Returns the bits that hold values below `range`; CeilLog2. */
@inline
function bitsFor(range: i32): i32 {
  return range < 2 ? 0 : 32 - <i32>clz<i32>(range - 1);
}

/** Reads the palette of luma or Cb. */
function readColours(plane: i32, size: i32): void {
  const at = paletteOf(plane);
  const cached = fillCache(plane);
  const most = (1 << bitDepth) - 1;
  let count = 0;
  for (let i = 0; i < cached && count < size; i++) {
    if (!readBool()) continue;
    store<u16>(at + ((<usize>count) << 1), load<u16>(cache + ((<usize>i) << 1)));
    count++;
  }
  if (count < size) {
    store<u16>(at + ((<usize>count) << 1), readLiteral(bitDepth));
    count++;
    // Luma never repeats a value.
    const least = plane == 0 ? 1 : 0;
    let bits = count < size ? bitDepth - 3 + readLiteral(2) : 0;
    for (; count < size; count++) {
      const before = <i32>load<u16>(at + ((<usize>count) << 1) - 2);
      const value = min(before + readLiteral(bits) + least, most);
      store<u16>(at + ((<usize>count) << 1), value);
      bits = min(bits, bitsFor(most + 1 - value - least));
    }
  }
  sort(at, size);
}

/** Reads the palette of Cr, which is not sorted. */
function readCr(size: i32): void {
  const at = paletteOf(2);
  if (!readBool()) {
    for (let i = 0; i < size; i++) store<u16>(at + ((<usize>i) << 1), readLiteral(bitDepth));
    return;
  }
  const range = 1 << bitDepth;
  const bits = bitDepth - 4 + readLiteral(2);
  let value = readLiteral(bitDepth);
  store<u16>(at, value);
  for (let i = 1; i < size; i++) {
    let delta = readLiteral(bits);
    if (delta != 0 && readBool()) delta = -delta;
    value += delta;
    if (value < 0) value += range;
    if (value >= range) value -= range;
    store<u16>(at + ((<usize>i) << 1), value);
  }
}

/** Implements palette_mode_info(). */
export function readPalettes(allowsLuma: boolean, allowsChroma: boolean): void {
  const sizeContext = <usize>(wideLog2 + highLog2 - 2);
  if (allowsLuma) {
    const above = i32(aboveValue(PALETTE_Y, blockColumn) > 0);
    const left = i32(leftValue(PALETTE_Y, sbRow) > 0);
    if (readSymbol2(cdfs + Y_CDF + (sizeContext * 3 + <usize>(above + left)) * 4)) {
      paletteSizeY = readSymbol8(cdfs + PALETTE_Y_SIZE + sizeContext * 16, 7) + 2;
      readColours(0, paletteSizeY);
    }
  }
  if (allowsChroma && readSymbol2(cdfs + UV_CDF + ((<usize>i32(paletteSizeY > 0)) << 2))) {
    paletteSizeUV = readSymbol8(cdfs + PALETTE_UV_SIZE + sizeContext * 16, 7) + 2;
    readColours(1, paletteSizeUV);
    readCr(paletteSizeUV);
  }
}

/** Leaves the palettes to later blocks. */
export function keepPalettes(): void {
  setBoth(PALETTE_Y, blockColumn, sbRow, high, wide, paletteSizeY);
  setBoth(PALETTE_UV, blockColumn, sbRow, high, wide, paletteSizeUV);
  if ((paletteSizeY | paletteSizeUV) == 0) return;
  for (let plane = 0; plane < 2; plane++) {
    const colours = v128.load(paletteOf(plane));
    for (let x = 0; x < wide; x++) v128.store(abovePalette(plane, blockColumn + x), colours);
    for (let y = 0; y < high; y++) v128.store(leftPalette(plane, sbRow + y), colours);
  }
}
