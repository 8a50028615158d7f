/** Pixels as a BMP file: it needs no compression and no checksum, so that it costs next to nothing to write. */
import type { Pixels } from "./thumb-hash.ts";

const FILE_HEADER_BYTES = 14;
/** BITMAPV4HEADER, the first that has a mask for alpha. */
const INFO_HEADER_BYTES = 108;
const BI_BITFIELDS = 3;
/** The masks of red, green, blue and alpha in a little-endian pixel, whose bytes are thereby RGBA. */
const MASKS = [0x000000ff, 0x0000ff00, 0x00ff0000, 0xff000000];
/** "Win ": the colours are the screen's own, as those of a picture without a profile. */
const LCS_WINDOWS_COLOR_SPACE = 0x57696e20;

export function bmpOf({ width, height, rgba }: Pixels): Uint8Array {
  const start = FILE_HEADER_BYTES + INFO_HEADER_BYTES;
  const file = new Uint8Array(start + rgba.length);
  const view = new DataView(file.buffer);
  file.set([0x42, 0x4d]);
  view.setUint32(2, file.length, true);
  view.setUint32(10, start, true);
  view.setUint32(14, INFO_HEADER_BYTES, true);
  view.setInt32(18, width, true);
  // Negative: the first row is the top one.
  view.setInt32(22, -height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 32, true);
  view.setUint32(30, BI_BITFIELDS, true);
  view.setUint32(34, rgba.length, true);
  MASKS.forEach((mask, at) => view.setUint32(54 + 4 * at, mask, true));
  view.setUint32(70, LCS_WINDOWS_COLOR_SPACE, true);
  file.set(rgba, start);
  return file;
}
