/** Open bitstream units, of which AV1 data are made: AV1 specification sections 5.3 and 6.2. */
import { StitchError } from "./bit-writer.ts";

export const OBU = { sequenceHeader: 1, temporalDelimiter: 2, frame: 6 } as const;

export interface Obu {
  type: number;
  payload: Uint8Array;
}

const HAS_SIZE = 0b010;
const HAS_EXTENSION = 0b100;

/** @throws StitchError when a unit overruns the data */
export function readObus(data: Uint8Array): Obu[] {
  const units: Obu[] = [];
  for (let at = 0; at < data.length;) {
    const head = data[at++]!;
    if (head & HAS_EXTENSION) at += 1;
    let size = data.length - at;
    if (head & HAS_SIZE) [size, at] = readLeb128(data, at);
    if (size < 0 || at + size > data.length) throw new StitchError("an AV1 unit ends early");
    units.push({ type: (head >> 3) & 15, payload: data.subarray(at, at + size) });
    at += size;
  }
  return units;
}

/** The head of a unit of `size` bytes, which follow. */
export const obuHead = (type: number, size: number): number[] => [(type << 3) | HAS_SIZE, ...leb128(size)];

/** leb128(): section 4.10.5. */
function readLeb128(data: Uint8Array, at: number): [value: number, next: number] {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = data[at++] ?? 0x80;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return [value, at];
  }
  throw new StitchError("an AV1 unit has no size");
}

function leb128(value: number): number[] {
  const out: number[] = [];
  for (; value > 0x7f; value = Math.floor(value / 128)) out.push((value & 0x7f) | 0x80);
  return [...out, value];
}
