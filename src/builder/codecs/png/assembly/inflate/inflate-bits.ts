/**
 * Reads the compressed input as bits. The lowest bit of a byte comes first (RFC 1951, section 3.1.1).
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { Inflater } from "./inflater";

/** Most bytes that may be written at `inputAddress`, however much is left of the earlier input. */
const INPUT_BYTES: usize = 65_536;
/** Most bytes that may be left of the input when more is asked for; the longest header of a block has fewer. */
const LEFT_BYTES: usize = 1_024;

let input: usize = 0;

/** The next bits. `held` of them are valid; bits above are those that follow in the input. */
export let hold: u64 = 0;
export let held: u64 = 0;
/** The next byte that is not in `hold`, and the end of the input so far. */
export let at: usize = 0;
export let end: usize = 0;
/** Whether no more input will arrive. */
export let isLast = false;

/** @returns the address of room for the input of one inflater, or 0 when the memory is at its end */
export function allocateInput(): usize {
  return allocate(<u64>(INPUT_BYTES + LEFT_BYTES));
}

/** Begins with no input. It will be written at `address`. */
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

/** Does the same as `keepBits`, and copies the rest of the input to the slot's own memory. */
export function copyBits(slot: Inflater): void {
  const target = slot.input;
  const left = inputAddress() - at;
  keepBits(slot);
  memory.copy(target, at, left);
  slot.input = target;
  slot.at = target;
  slot.end = target + left;
}

/** Returns where the caller writes the next input, at most INPUT_BYTES. Moves the rest of the earlier input. */
export function inputAddress(): usize {
  // Whole bytes in `hold` go back to the input, so that `align` always finds them before `at`.
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

/** Returns whether `bytes` bytes have arrived, or the input has ended. */
export function has(bytes: usize): boolean {
  return isLast || end - at + <usize>(held >> 3) >= bytes;
}

/** Fills `hold` to at least 56 bits, or with all bits of the input. */
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

/** Takes `count` bits, at most 32. After the end of the input they are zero, and `isOverdrawn` is true. */
export function take(count: u32): u32 {
  if (held < count) refill();
  const bits = <u32>(hold & (((<u64>1) << count) - 1));
  drop(count);
  return bits;
}

let overdrawn = false;

/** Returns whether more bits were taken than the input has. */
export function isOverdrawn(): boolean {
  return overdrawn;
}

/** Drops `count` bits that the caller has read in `hold`. */
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

/** Drops bits up to the next whole byte, and puts whole bytes back into the input. */
export function align(): void {
  at -= <usize>(held >> 3);
  hold = 0;
  held = 0;
}

/** Copies `count` bytes to `target`. The input must be aligned. */
export function takeBytes(target: usize, count: usize): void {
  memory.copy(target, at, count);
  at += count;
}

/** Drops all input, because bytes after the end of the stream have no meaning. */
export function dropInput(): void {
  at = end;
  hold = 0;
  held = 0;
}

/** Sets `hold`, `held` and `at` from the copies of a loop that has read from them. */
export function putBack(nextHold: u64, nextHeld: u64, nextAt: usize): void {
  hold = nextHold;
  held = nextHeld & 63;
  at = nextAt;
}
