/**
 * The output of the active inflater: the inflated bytes that are not read yet, and before them the last 32 KB, which a
 * distance may reach.
 */
import { updateAdler } from "../adler";
import { COPY_SLACK } from "./inflate-match";
import { MOST_BEYOND, out, setOut } from "./inflate-symbols";
import { Inflater } from "./inflater";

/** The largest distance. */
const WINDOW_BYTES: usize = 32_768;
/** Bytes inflated at a time, beside those that the caller wants. */
const CHUNK_BYTES: usize = 32_768;
/** Bytes that may be written past the end of the output. */
const SLACK: usize = MOST_BEYOND + COPY_SLACK;

/** The first byte of the output. */
export let buffer: usize = 0;
/** Where output stops until the window is moved. */
export let limit: usize = 0;
/** The next byte to be read. */
let readAt: usize = 0;
/** The end of the bytes that are in `adler`. */
let checkedTo: usize = 0;
export let adler: u32 = 1;

/** Bytes of output that are inflated before the window is moved. */
let capacity: usize = 0;

/**
 * Sets the capacity of every output buffer.
 * @param mostWanted the most bytes that are wanted at a time, if more than CHUNK_BYTES
 * @returns the bytes that each buffer needs
 */
export function setCapacity(mostWanted: u64): u64 {
  const bytes = <u64>(WINDOW_BYTES + CHUNK_BYTES) + mostWanted;
  capacity = <usize>bytes;
  return bytes + <u64>SLACK;
}

/** Begins an empty output at `address`. */
export function startWindow(address: usize): void {
  buffer = address;
  limit = address + capacity;
  readAt = address;
  checkedTo = address;
  setOut(address);
}

export function keepWindow(slot: Inflater): void {
  slot.adler = adler;
  slot.buffer = buffer;
  slot.readAt = readAt;
  slot.out = out;
}

export function resumeWindow(slot: Inflater): void {
  adler = slot.adler;
  startWindow(slot.buffer);
  readAt = slot.readAt;
  setOut(slot.out);
  checkedTo = slot.out;
}

/** Copies the window to the buffer of a slot. */
export function copyWindow(slot: Inflater): void {
  const target = slot.buffer;
  const from = windowStart();
  memory.copy(target, from, out - from);
  slot.adler = adler;
  slot.readAt = target + (readAt - from);
  slot.out = target + (out - from);
}

/** Returns where the inflated bytes begin that are not read yet. */
export function inflatedAddress(): usize {
  return readAt;
}

/** Counts bytes as read. */
export function readInflated(bytes: usize): void {
  readAt += bytes;
}

/** Returns the number of inflated bytes that are not read yet. */
@inline
export function unreadBytes(): usize {
  return out - readAt;
}

/** Moves the bytes that are still needed to the front of the buffer. */
export function moveWindow(): void {
  const from = windowStart();
  const length = out - from;
  memory.copy(buffer, from, length);
  readAt -= from - buffer;
  setOut(buffer + length);
  checkedTo = out;
}

/** Adds the bytes inflated since the last call to the checksum. */
export function updateChecksum(): void {
  adler = updateAdler(adler, checkedTo, out - checkedTo);
  checkedTo = out;
}

/** Returns the first byte that is still needed: one that is not read yet, or that a distance may reach. */
function windowStart(): usize {
  return min<usize>(readAt, out - min<usize>(out - buffer, WINDOW_BYTES));
}
