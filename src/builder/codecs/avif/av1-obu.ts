/** Reads and writes open bitstream units (AV1 specification sections 5.3 and 6.2). */
import { Av1Error } from "../../../image/formats/avif/av1-bits.ts";
import { HAS_SIZE, obusIn } from "../../../image/formats/avif/av1-obu.ts";

export interface Obu {
  type: number;
  payload: Uint8Array;
}

/** Splits `data` into units. @throws Av1Error when a unit is longer than the data */
export function readObus(data: Uint8Array): Obu[] {
  const units: Obu[] = [];
  for (const { type, payload, isWhole } of obusIn(data)) {
    if (!isWhole) throw new Av1Error("An AV1 unit ends early");
    units.push({ type, payload });
  }
  return units;
}

/** The header of a unit with a payload of `size` bytes. */
export const obuHead = (type: number, size: number): number[] => [(type << 3) | HAS_SIZE, ...leb128(size)];

/** The bytes of leb128() (section 4.10.5). */
function leb128(value: number): number[] {
  const out: number[] = [];
  for (; value > 0x7f; value = Math.floor(value / 128)) out.push((value & 0x7f) | 0x80);
  return [...out, value];
}
