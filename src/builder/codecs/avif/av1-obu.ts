/** Writes open bitstream units (AV1 specification sections 5.3 and 6.2). */
import { HAS_SIZE } from "../../../image/formats/avif/av1/obus.ts";

/** Returns the header of a unit with a payload of `size` bytes. */
export const obuHead = (type: number, size: number): number[] => [(type << 3) | HAS_SIZE, ...leb128(size)];

/** Returns the bytes of leb128() (section 4.10.5). */
function leb128(value: number): number[] {
  const out: number[] = [];
  for (; value > 0x7f; value = Math.floor(value / 128)) out.push((value & 0x7f) | 0x80);
  return [...out, value];
}
