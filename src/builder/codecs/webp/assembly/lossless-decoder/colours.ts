/** The inverses of the transforms of colours (RFC 9649, 4.2 to 4.4), for a row of pixels (u32) in place. */

/** Adds green to red and blue. Touches up to three pixels past the end. */
export function addGreen(row: usize, width: i32): void {
  const end = row + ((<usize>width) << 2);
  for (let at = row; at < end; at += 16) {
    const pixels = v128.load(at);
    const none = i32x4.splat(0);
    const green = v128.shuffle<i8>(pixels, none, 1, 16, 1, 16, 5, 16, 5, 16, 9, 16, 9, 16, 13, 16, 13, 16);
    v128.store(at, i8x16.add(pixels, green));
  }
}

/** Bytes of the factors of a tile: those of green to red, of green to blue, of red to blue. */
export const FACTOR_BYTES: usize = 3;
/** Factors are in parts of a 32nd. */
const FACTOR_SHIFT: i32 = 5;

/** Adds what green predicts of red and blue, and red of blue, by the factors of each tile. */
export function addCross(row: usize, width: i32, factors: usize, tileBits: i32): void {
  const samples = i32x4.splat(0x00ff00ff);
  const none = i32x4.splat(0);
  for (let x = 0; x < width; factors += FACTOR_BYTES) {
    const end = min(width, x + (1 << tileBits));
    const toRed = <i32>load<i8>(factors);
    const toBlue = <i32>load<i8>(factors, 1);
    const byGreen = i32x4.splat((toRed << 16) | (toBlue & 0xffff));
    const byRed = i32x4.splat((<i32>load<i8>(factors, 2)) & 0xffff);
    for (; x < end; x += 4) {
      const at = row + ((<usize>x) << 2);
      let pixels = v128.load(at);
      // Samples are signed here. Each stands in the upper byte of 16 bits, from where it is shifted down.
      const green = v128.shuffle<i8>(pixels, none, 16, 1, 16, 1, 16, 5, 16, 5, 16, 9, 16, 9, 16, 13, 16, 13);
      let more = i16x8.shr_s(i16x8.mul(i16x8.shr_s(green, 8), byGreen), FACTOR_SHIFT);
      pixels = i8x16.add(pixels, v128.and(more, samples));
      const red = v128.shuffle<i8>(
        pixels,
        none,
        16,
        2,
        16,
        16,
        16,
        6,
        16,
        16,
        16,
        10,
        16,
        16,
        16,
        14,
        16,
        16,
      );
      more = i16x8.shr_s(i16x8.mul(i16x8.shr_s(red, 8), byRed), FACTOR_SHIFT);
      v128.store(at, i8x16.add(pixels, v128.and(more, samples)));
    }
    x = end;
  }
}

/** Replaces the indices in green by their colours. A pixel has 2^`packing` indices, the first in its lowest bits. */
export function unpackIndices(row: usize, width: i32, palette: usize, packing: i32): void {
  const indexBits = 8 >> packing;
  const inPixel = (1 << packing) - 1;
  const mask: u32 = (1 << indexBits) - 1;
  // From the last pixel on, so that none is overwritten before its indices are read.
  for (let x = width - 1; x >= 0; x--) {
    const packed = load<u32>(row + ((<usize>(x >> packing)) << 2)) >> 8;
    const index = (packed >> (<u32>((x & inPixel) * indexBits))) & mask;
    store<u32>(row + ((<usize>x) << 2), load<u32>(palette + ((<usize>index) << 2)));
  }
}
