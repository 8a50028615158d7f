/** Reads open bitstream units, of which AV1 data consist: AV1 specification sections 5.3 and 6.2. */
import { Av1Error } from "./bits.ts";

/** Types of units. */
export const SEQUENCE_HEADER = 1;
export const FRAME = 6;

export interface PassingObu {
  type: number;
  /** The part of the payload that is in the data. */
  payload: Uint8Array;
}

export const HAS_SIZE = 0b010;
export const HAS_EXTENSION = 0b100;

/** Yields the units in `data`. The last one may be truncated. */
export function* obusIn(data: Uint8Array): Generator<PassingObu, void, undefined> {
  for (let at = 0; at < data.length;) {
    const head = data[at++]!;
    if (head & HAS_EXTENSION) at += 1;
    let size = data.length - at;
    if (head & HAS_SIZE) [size, at] = readLeb128(data, at);
    yield { type: (head >> 3) & 15, payload: data.subarray(at, at + size) };
    at += size;
  }
}

/** Reads leb128(): section 4.10.5. */
function readLeb128(data: Uint8Array, at: number): [value: number, next: number] {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = data[at++] ?? 0x80;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return [value, at];
  }
  throw new Av1Error("an AV1 unit has no size");
}
