/**
 * Several inflaters that take turns: one is at work in the variables of the inflate modules, the others are kept
 * here. Each has its own input and output; the code tables are copied, as the hot loops want them where they are.
 */
import { allocate } from "../../../pixels/assembly/shared/arena";
import { DISTANCE_ENTRIES, LENGTH_ENTRIES } from "./inflate-tables";

/** All that an inflater is in the middle of. */
@unmanaged
export class Inflater {
  // Bits (inflate-bits.ts).
  hold: u64;
  held: u64;
  input: usize;
  at: usize;
  end: usize;
  isLast: boolean;
  overdrawn: boolean;
  // Codes (inflate-codes.ts), with their tables behind the fields.
  isFixed: boolean;
  // Stream (inflate.ts) and output (inflate-symbols.ts).
  isFinalBlock: boolean;
  state: i32;
  adler: u32;
  storedLeft: usize;
  buffer: usize;
  readAt: usize;
  out: usize;
}

const FIELDS: usize = (offsetof<Inflater>() + 15) & ~15;
export const LENGTH_TABLE_BYTES: usize = 4 * LENGTH_ENTRIES;
export const DISTANCE_TABLE_BYTES: usize = 4 * DISTANCE_ENTRIES;
const SLOT_BYTES: usize = (FIELDS + LENGTH_TABLE_BYTES + DISTANCE_TABLE_BYTES + 15) & ~15;

let slots: usize = 0;

/** @returns false when the memory is at its end */
export function layOutSlots(count: i32): boolean {
  slots = allocate(<u64>count * <u64>SLOT_BYTES);
  return slots ? true : false;
}

export function slotOf(index: i32): Inflater {
  return changetype<Inflater>(slots + <usize>index * SLOT_BYTES);
}

/** Where a slot keeps its tables: those of lengths, then those of distances. */
@inline
export function tablesOf(slot: Inflater): usize {
  return changetype<usize>(slot) + FIELDS;
}
