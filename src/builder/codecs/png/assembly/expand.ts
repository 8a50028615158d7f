/**
 * From the samples of a PNG to bytes: sub-byte samples and 16-bit samples scaled linearly to 8 bits (PNG
 * specification, clause 13.12), palette entries looked up, a transparent colour (tRNS, clause 11.3.2.1)
 * turned into alpha.
 */

/** Sample `i` of a row at its own depth; sub-byte samples start at the high bits (clause 7.2). */
@inline
function sampleAt(row: usize, i: usize, depth: u32): u32 {
  if (depth == 8) return load<u8>(row + i);
  if (depth == 16) return bswap<u16>(load<u16>(row + (i << 1)));
  const bit = <u32>i * depth;
  return ((<u32>load<u8>(row + (bit >> 3))) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

/** round(sample * 255 / (2^depth - 1)) */
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
 * @param palette 256 entries of 4 bytes: red, green, blue, alpha. Those beyond PLTE are opaque black, as
 *   libpng has it
 * @param channels 3 or 4. Writes one byte past the end with 3.
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
 * Gray or RGB with one transparent colour: adds an alpha channel.
 * @param key the transparent colour's samples at the picture's own depth, as u32; one for gray, three for RGB
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

/** Spreads a row of an Adam7 pass over a row of the picture: pixel i goes to `out + i * step` pixels. */
export function scatter(row: usize, width: usize, channels: usize, out: usize, step: usize): void {
  const stride = step * channels;
  for (let x: usize = 0; x < width; x++) {
    for (let c: usize = 0; c < channels; c++) store<u8>(out + c, load<u8>(row + c));
    row += channels;
    out += stride;
  }
}
