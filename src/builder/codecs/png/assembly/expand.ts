/**
 * Converts the samples of a PNG to bytes. Samples of fewer or more than 8 bits are scaled linearly to 8 bits (PNG
 * specification, clause 13.12), palette entries are looked up, and a transparent colour (tRNS, clause 11.3.2.1) becomes
 * alpha.
 */

/**
 * Returns sample `i` of a row, at its own depth. Samples of fewer than 8 bits fill a byte from the high bits on (clause
 * 7.2).
 */
@inline
function sampleAt(row: usize, i: usize, depth: u32): u32 {
  if (depth == 8) return load<u8>(row + i);
  if (depth == 16) return bswap<u16>(load<u16>(row + (i << 1)));
  const bit = <u32>i * depth;
  return ((<u32>load<u8>(row + (bit >> 3))) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

/** Returns round(sample * 255 / (2^depth - 1)). */
@inline
function toByte(sample: u32, depth: u32): u32 {
  if (depth == 16) return (sample * 255 + 32895) >> 16;
  if (depth == 8) return sample;
  if (depth == 4) return sample * 17;
  return depth == 2 ? sample * 85 : sample * 255;
}

/** Scales `samples` of any depth to bytes. */
export function expandSamples(row: usize, samples: usize, depth: u32, out: usize): void {
  if (depth == 16) {
    for (let i: usize = 0; i < samples; i++) store<u8>(out + i, <u8>toByte(sampleAt(row, i, 16), 16));
  } else {
    for (let i: usize = 0; i < samples; i++) store<u8>(out + i, <u8>toByte(sampleAt(row, i, depth), depth));
  }
}

/**
 * Looks up palette indices of any depth.
 * @param palette 256 entries of 4 bytes: red, green, blue, alpha. Those beyond PLTE are opaque black, as in libpng.
 * @param channels 3 or 4. With 3, one byte is written past the end.
 */
export function expandPalette(
  row: usize,
  width: usize,
  depth: u32,
  palette: usize,
  channels: usize,
  out: usize,
): void {
  for (let i: usize = 0; i < width; i++) {
    store<u32>(out, load<u32>(palette + ((<usize>sampleAt(row, i, depth)) << 2)));
    out += channels;
  }
}

/**
 * Adds an alpha channel to gray or RGB with one transparent colour.
 * @param key the samples of the transparent colour at the picture's own depth (u32): one for gray, three for RGB
 */
export function expandKeyed(
  row: usize,
  width: usize,
  depth: u32,
  colours: usize,
  key: usize,
  out: usize,
): void {
  for (let x: usize = 0; x < width; x++) {
    let different: u32 = 0;
    for (let c: usize = 0; c < colours; c++) {
      const sample = sampleAt(row, x * colours + c, depth);
      different |= sample ^ load<u32>(key + (c << 2));
      store<u8>(out++, <u8>toByte(sample, depth));
    }
    store<u8>(out++, different ? 255 : 0);
  }
}

/** Copies a row of an Adam7 pass into a row of the picture: pixel i goes to pixel `i * step` from `out`. */
export function scatter(row: usize, width: usize, channels: usize, out: usize, step: usize): void {
  const stride = step * channels;
  for (let x: usize = 0; x < width; x++) {
    for (let c: usize = 0; c < channels; c++) store<u8>(out + c, load<u8>(row + c));
    row += channels;
    out += stride;
  }
}
