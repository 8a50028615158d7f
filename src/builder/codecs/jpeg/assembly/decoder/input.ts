/**
 * Moves the bytes of the file to where the entropy decoder reads them.
 *
 * The inbox holds bytes as they arrive. Entropy-coded data moves from it to the window. There, the zero byte after
 * each 0xFF is dropped (ITU T.81 F.1.2.3) and the order is reversed: the next byte has the highest address, so that a
 * little-endian load of 64 bits has it on top. Inbox and window slide, so the compressed file is never held whole.
 *
 * A reader keeps `buffer`, `count` and `pointer` of Bits in locals. It has at least REFILLED_BITS after
 *
 *     buffer |= load<u64>(pointer) >> (<u64>count);
 *     pointer -= (63 - count) >> 3;
 *     count |= 56;
 *
 * The bits below the top `count` are bits that the next refill sets to the same values again. These lines are
 * repeated in each reader, because AssemblyScript cannot share them between functions at no cost. A reader may look
 * up the next code before it refills, as long as LOOKUP_BITS are left.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { MAX_BLOCKS_PER_MCU } from "./frame";
import { Work } from "./status";
import { INBOX_BYTES, WINDOW_BYTES } from "../../../../../image/formats/jpeg/decoder-constants";

/** The most bytes of a block: 64 codes of 16 bits with 15 bits after each, and a spare refill. */
const MAX_BLOCK_BYTES: i32 = 256;
export const MAX_MCU_BYTES: i32 = MAX_BLOCKS_PER_MCU * MAX_BLOCK_BYTES;
/** The most bytes that a refill has loaded ahead of the bits that were used. */
const AHEAD_BYTES: i32 = 16;
/** Zeros after a segment's end: one MCU may be read past the end before that is noticed. */
const WINDOW_PADDING: i32 = MAX_MCU_BYTES + 4 * AHEAD_BYTES;
const SIMD_PADDING: i32 = 32;

/** The end of the file, in place of a marker. */
export const END_OF_FILE: i32 = 0x100;
const FIRST_RESTART: i32 = 0xd0;

export abstract class Inbox {
  static base: usize = 0;
  /** The next byte to read, and the end of the bytes that have arrived. */
  static at: usize = 0;
  static end: usize = 0;
  /** No more bytes will arrive. */
  static finished: boolean = false;
}

export abstract class Window {
  /** The end of the window, where its first byte was. */
  static top: usize = 0;
  /** The last byte that has arrived. The next one is written below it. */
  static filled: usize = 0;
  /** An MCU may be decoded while the reader's pointer is not below this. */
  static limit: usize = 0;
  /** Work units per byte. Refinement scans cost more, because they decide on every bit separately. */
  static unitsPerByte: i32 = 1;
  /** The marker that ended this segment of entropy-coded data, END_OF_FILE, or 0 before its end. */
  static marker: i32 = 0;
}

/** The state of the bit reader between blocks. Hot loops keep copies in locals. */
export abstract class Bits {
  /** Unread bits, the next one on top, and their number. */
  static buffer: u64 = 0;
  static count: i32 = 0;
  /** Where the next 64 bits are loaded from. The next byte of the window is the last of these eight. */
  static pointer: usize = 0;
}

/** The least number of unread bits after a refill. */
export const REFILLED_BITS: i32 = 56;
const LOAD_BYTES: usize = 8;
/** A limit that lets nothing be decoded, for when no bytes have arrived. */
const NO_LIMIT: usize = usize.MAX_VALUE;

export function allocateInput(): boolean {
  Inbox.base = allocate(INBOX_BYTES + SIMD_PADDING);
  Inbox.at = Inbox.base;
  Inbox.end = Inbox.base;
  const window = allocate(WINDOW_BYTES + WINDOW_PADDING + SIMD_PADDING);
  Window.top = window + WINDOW_PADDING + WINDOW_BYTES;
  return Inbox.base != 0 && window != 0;
}

/** Moves unread bytes to the front of the inbox. @returns how many more bytes fit */
export function makeRoom(): i32 {
  const unread = Inbox.end - Inbox.at;
  if (Inbox.at != Inbox.base) memory.copy(Inbox.base, Inbox.at, unread);
  Inbox.at = Inbox.base;
  Inbox.end = Inbox.base + unread;
  return INBOX_BYTES - <i32>unread;
}

/** Begins a segment of entropy-coded data at the inbox's next byte. */
export function startSegment(): void {
  Window.filled = Window.top;
  Window.limit = NO_LIMIT;
  Window.marker = 0;
  Bits.buffer = 0;
  Bits.count = 0;
  Bits.pointer = Window.top - LOAD_BYTES;
}

/** Moves unread bytes to the top of the window. */
function slideWindow(): void {
  const offset = Window.top - LOAD_BYTES - Bits.pointer;
  const end = Bits.pointer + LOAD_BYTES;
  if (end > Window.filled) memory.copy(Window.filled + offset, Window.filled, end - Window.filled);
  Bits.pointer += offset;
  Window.filled += offset;
}

/** Moves entropy-coded bytes into the window until it is full, the inbox is empty or a marker is found. */
export function fillWindow(): void {
  if (Window.marker != 0) return;
  slideWindow();
  const inboxEnd = Inbox.end;
  const bottom = Window.top - WINDOW_BYTES;
  const before = Inbox.at;
  const markerByte = i8x16.splat(-1);
  let from = before;
  let to = Window.filled;
  while (from < inboxEnd && to > bottom) {
    while (from + 16 <= inboxEnd && to >= bottom + 16) {
      const bytes = v128.load(from);
      v128.store(
        to - 16,
        v128.shuffle<i8>(bytes, bytes, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
      );
      const found = i8x16.bitmask(i8x16.eq(bytes, markerByte));
      const plain = found ? <usize>ctz(found) : <usize>16;
      from += plain;
      to -= plain;
      if (found) break;
    }
    if (from >= inboxEnd || to <= bottom) break;
    const byte = load<u8>(from);
    if (byte != 0xff) {
      store<u8>(--to, byte);
      from++;
      continue;
    }
    if (from + 1 >= inboxEnd) break;
    const next = load<u8>(from, 1);
    if (next == 0) {
      store<u8>(--to, byte);
      from += 2;
    } else if (next == 0xff) {
      // Any number of fill bytes may precede a marker (B.1.1.2).
      from++;
    } else {
      Window.marker = next;
      from += 2;
      break;
    }
  }
  if (Window.marker == 0 && Inbox.finished && to > bottom) {
    Window.marker = END_OF_FILE;
    from = inboxEnd;
  }
  Inbox.at = from;
  Window.filled = to;
  Work.units += <u64>(from - before) * <u64>Window.unitsPerByte;
  limitReading();
}

/** Sets how far the reader may read, and writes zeros after the end of a segment. */
function limitReading(): void {
  if (Window.marker == 0) {
    Window.limit = Window.filled + MAX_MCU_BYTES + AHEAD_BYTES;
    return;
  }
  const padding = WINDOW_PADDING - AHEAD_BYTES;
  memory.fill(Window.filled - padding, 0, padding);
  Window.limit = Window.filled - AHEAD_BYTES;
}

/** Returns the number of unread bits in the window; negative when the reader has passed the end of the segment. */
export function unusedBits(): i32 {
  return ((<i32>(Bits.pointer + LOAD_BYTES - Window.filled)) << 3) + Bits.count;
}

export function isRestart(marker: i32): boolean {
  return (marker & ~7) == FIRST_RESTART;
}

/**
 * Returns the next marker outside entropy-coded data. Bytes that are no marker, superfluous restart markers and TEM are
 * skipped.
 * @returns the marker; END_OF_FILE at the end; 0 when more input is needed
 */
export function nextMarker(): i32 {
  const pending = Window.marker;
  Window.marker = 0;
  if (pending != 0 && !isRestart(pending)) return pending;
  const markerByte = i8x16.splat(-1);
  const before = Inbox.at;
  let at = before;
  let marker = 0;
  while (at + 1 < Inbox.end) {
    while (at + 16 <= Inbox.end && !v128.any_true(i8x16.eq(v128.load(at), markerByte))) at += 16;
    if (at + 1 >= Inbox.end) break;
    if (load<u8>(at) != 0xff) {
      at++;
      continue;
    }
    const code = <i32>load<u8>(at, 1);
    at += code == 0xff ? 1 : 2;
    if (code == 0 || code == 0xff || code == 1 || isRestart(code)) continue;
    marker = code;
    break;
  }
  if (marker == 0 && Inbox.finished) {
    marker = END_OF_FILE;
    at = Inbox.end;
  }
  Inbox.at = at;
  Work.units += (<u64>(at - before)) >> 2;
  return marker;
}
