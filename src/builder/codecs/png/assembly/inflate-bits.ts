/**
 * The compressed bytes that were brought and not yet used, as bits: the lowest bit of a byte comes first (RFC 1951,
 * section 3.1.1).
 */
import { allocate } from "../../../pixels/assembly/shared/arena";
import { Inflater } from "./inflater";

/** Bytes that `inputAddress` has room for, whatever is left of those before. */
const INPUT_BYTES: usize = 65_536;
/** What may be left of the input when more is asked for: less than the longest header of a block. */
const LEFT_BYTES: usize = 1_024;

let input: usize = 0;

/** The next bits: `held` of them count, and any above are those that follow in the input. */
export let hold: u64 = 0;
export let held: u64 = 0;
/** The next byte that is not in `hold`, and the end of the input so far. */
export let at: usize = 0;
export let end: usize = 0;
/** True once there will be no more input. */
export let isLast = false;

/** @returns the address of room for the input of one inflater, or 0 when the memory is at its end */
export function allocateInput(): usize {
  return allocate(<u64>(INPUT_BYTES + LEFT_BYTES));
}

/** Begins with nothing, and the input at `address`. */
export function startInput(address: usize): void {
  input = address;
  at = address;
  end = address;
}

export function keepBits(slot: Inflater): void {
  slot.hold = hold;
  slot.held = held;
  slot.input = input;
  slot.at = at;
  slot.end = end;
  slot.isLast = isLast;
  slot.overdrawn = overdrawn;
}

export function resumeBits(slot: Inflater): void {
  hold = slot.hold;
  held = slot.held;
  input = slot.input;
  at = slot.at;
  end = slot.end;
  isLast = slot.isLast;
  overdrawn = slot.overdrawn;
}

/** As `keepBits`, with a copy of what is left of the input, which the slot has room for elsewhere. */
export function copyBits(slot: Inflater): void {
  const target = slot.input;
  const left = inputAddress() - at;
  keepBits(slot);
  memory.copy(target, at, left);
  slot.input = target;
  slot.at = target;
  slot.end = target + left;
}

/** Where the next input is to be written, at most INPUT_BYTES. Moves what is left of that before it. */
export function inputAddress(): usize {
  // Whole bytes in `hold` are read again, so that `align` always finds them before `at`.
  at -= <usize>(held >> 3);
  held &= 7;
  hold &= ((<u64>1) << held) - 1;
  const left = end - at;
  if (at != input) memory.copy(input, at, left);
  at = input;
  end = input + left;
  return end;
}

export function addInput(bytes: usize): void {
  end += bytes;
}

export function endInput(): void {
  isLast = true;
}

/** True when so many bytes are there, or all that will ever be. */
export function has(bytes: usize): boolean {
  return isLast || end - at + <usize>(held >> 3) >= bytes;
}

/** Holds at least 56 bits, or all there are. */
export function refill(): void {
  if (at + 8 <= end) {
    hold |= load<u64>(at) << held;
    at += <usize>((63 - held) >> 3);
    held |= 56;
    return;
  }
  while (held < 56 && at < end) {
    hold |= (<u64>load<u8>(at++)) << held;
    held += 8;
  }
}

/** Takes `count` bits, at most 32, which are zero beyond the end of the input: `isOverdrawn` tells. */
export function take(count: u32): u32 {
  if (held < count) refill();
  const bits = <u32>(hold & (((<u64>1) << count) - 1));
  drop(count);
  return bits;
}

let overdrawn = false;

/** True when more bits were taken than there were. */
export function isOverdrawn(): boolean {
  return overdrawn;
}

/** Drops bits that were looked at. */
export function drop(count: u32): void {
  if (held < count) {
    overdrawn = true;
    hold = 0;
    held = 0;
    return;
  }
  hold >>= count;
  held -= count;
}

/** Drops bits up to the next whole byte, and gives whole bytes back. */
export function align(): void {
  at -= <usize>(held >> 3);
  hold = 0;
  held = 0;
}

/** Moves `count` bytes after `align` to `target`. */
export function takeBytes(target: usize, count: usize): void {
  memory.copy(target, at, count);
  at += count;
}

/** Drops all input: what follows the end of the stream means nothing. */
export function dropInput(): void {
  at = end;
  hold = 0;
  held = 0;
}

/** Puts back what a loop with copies of `hold`, `held` and `at` has left of them. */
export function putBack(nextHold: u64, nextHeld: u64, nextAt: usize): void {
  hold = nextHold;
  held = nextHeld & 63;
  at = nextAt;
}
