import type { Orientation } from "../model/facts.ts";
import { startsWith, u16be, u16le, u32be, u32le } from "../bytes/numbers.ts";

/** The longest EXIF block of a PNG that is read. A JPEG segment cannot hold more than 65,533 bytes. */
export const EXIF_MAX_BYTES = 1_048_576;

const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const LONG = 4;

/**
 * Returns the orientation in IFD0 of a TIFF block (TIFF 6.0 section 8; EXIF 2.32 section 4.5). Unreadable metadata is
 * no reason to refuse a picture: the result is then 1, as in browsers. That includes a block in a PNG with the
 * `Exif\0\0` that only JPEG puts before it.
 */
export function orientationOf(tiff: Uint8Array): Orientation {
  const littleEndian = startsWith(tiff, "II*\0");
  if (!littleEndian && !startsWith(tiff, "MM\0*")) return 1;
  const u16 = littleEndian ? u16le : u16be;
  const u32 = littleEndian ? u32le : u32be;
  if (tiff.length < 8) return 1;

  const ifd = u32(tiff, 4);
  if (ifd + 2 > tiff.length) return 1;
  const entries = u16(tiff, ifd);
  for (let i = 0; i < entries; i += 1) {
    const at = ifd + 2 + i * 12;
    if (at + 12 > tiff.length) return 1;
    if (u16(tiff, at) !== ORIENTATION_TAG) continue;
    const type = u16(tiff, at + 2);
    const value = type === SHORT ? u16(tiff, at + 8) : type === LONG ? u32(tiff, at + 8) : 0;
    return value >= 1 && value <= 8 ? (value as Orientation) : 1;
  }
  return 1;
}
