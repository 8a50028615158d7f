/**
 * The state of several inflaters. One is active: its state is in the variables of the inflate modules. The others are
 * stored here, in slots. Each has its own input and output. The code tables are copied when another inflater becomes
 * active, because the hot loops need them at constant addresses.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { DISTANCE_ENTRIES, LENGTH_ENTRIES } from "./inflate-tables";

/** The stored state of an inflater. */
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
  // Codes (inflate-codes.ts). Their tables follow the fields.
  isFixed: boolean;
  // Stream (inflate.ts).
  isFinalBlock: boolean;
  state: i32;
  storedLeft: usize;
  // Output (inflate-window.ts).
  adler: u32;
  buffer: usize;
  readAt: usize;
  out: usize;
}

const FIELDS: usize = (offsetof<Inflater>() + 15) & ~15;
export const LENGTH_TABLE_BYTES: usize = 4 * LENGTH_ENTRIES;
export const DISTANCE_TABLE_BYTES: usize = 4 * DISTANCE_ENTRIES;
const SLOT_BYTES: usize = (FIELDS + LENGTH_TABLE_BYTES + DISTANCE_TABLE_BYTES + 15) & ~15;

let slots: usize = 0;

/** Allocates slots. @returns false when the memory is at its end */
export function layOutSlots(count: i32): boolean {
  slots = allocate(<u64>count * <u64>SLOT_BYTES);
  return slots ? true : false;
}

export function slotOf(index: i32): Inflater {
  return changetype<Inflater>(slots + <usize>index * SLOT_BYTES);
}

/** Returns the address of a slot's tables: that of lengths, then that of distances. */
@inline
export function tablesOf(slot: Inflater): usize {
  return changetype<usize>(slot) + FIELDS;
}
