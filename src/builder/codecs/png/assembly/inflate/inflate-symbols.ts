/** Decodes the literals, lengths and distances of a block of deflate (RFC 1951, section 3.2.3). */
import { at, end, held, hold, isLast, putBack, refill } from "./inflate-bits";
import { distanceTable, lengthTable } from "./inflate-codes";
import { copyMatch } from "./inflate-match";
import {
  DISTANCE_TABLE_BITS,
  END,
  EXCEPTION,
  INVALID,
  LENGTH_TABLE_BITS,
  LINK,
  LITERAL,
  VALUE_SHIFT,
} from "./inflate-tables";

/** Most bytes that are written past the output limit. */
export const MOST_BEYOND: usize = 258 + 4;
/** With this many bytes of input, an iteration of the fast loop need not check for the end. */
const FAST_INPUT: usize = 16;
/** Most bits of a length and a distance, with their extra bits. */
const MOST_BITS: u64 = 48;

/** Why decoding of a block stopped. */
export const AT_LIMIT: i32 = 0;
export const AT_INPUT_END: i32 = 1;
export const AT_BLOCK_END: i32 = 2;
export const BROKEN: i32 = 3;

/** Where the next output is written. */
export let out: usize = 0;

export function setOut(address: usize): void {
  out = address;
}

@inline
function entryAt(table: usize, bits: u64, count: u64): u64 {
  return <u64>load<u32>(table + ((<usize>(bits & (((<u64>1) << count) - 1))) << 2));
}

/**
 * The fast loop keeps two meaningless bits below the next bits. A masked value is then an offset into a table of u32,
 * without another shift.
 */
const OFFSET_BITS: u64 = 2;
const LENGTH_OFFSETS: u32 = ((1 << LENGTH_TABLE_BITS) - 1) << 2;
const DISTANCE_OFFSETS: u32 = ((1 << DISTANCE_TABLE_BITS) - 1) << 2;

@inline
function lengthEntry(bits: u64): u64 {
  return <u64>load<u32>((<u32>bits) & LENGTH_OFFSETS, lengthTable);
}

@inline
function distanceEntry(bits: u64): u64 {
  return <u64>load<u32>((<u32>bits) & DISTANCE_OFFSETS, distanceTable);
}

/** Returns the entry that a LINK leads to. `bits` are the bits after those of the main table. */
@inline
function linkedEntry(table: usize, link: u64, bits: u64): u64 {
  return entryAt(table + ((<usize>(link >> VALUE_SHIFT)) << 2), bits, (link >> 8) & 63);
}

/** Returns the value of an entry and of the extra bits that follow its code. */
@inline
function valueOf(entry: u64, bits: u64): usize {
  const extra = (bits & (((<u64>1) << entry) - 1)) >> (entry >> 8);
  return <usize>((entry >> VALUE_SHIFT) + extra);
}

/**
 * Decodes up to the end of the block, to `limit` or at most MOST_BEYOND bytes past it, or to the end of the input so
 * far.
 * @param first the oldest byte of the output that is still in memory
 * @returns AT_LIMIT, AT_BLOCK_END, or another reason why it stopped
 */
export function decodeSymbols(first: usize, limit: usize): i32 {
  let stop = AT_LIMIT;
  while (stop == AT_LIMIT && out < limit) {
    stop = at + FAST_INPUT <= end ? decodeFast(first, limit) : AT_INPUT_END;
    if (stop == AT_INPUT_END) stop = decodeOne(first);
  }
  return stop;
}

/** Does the same as `decodeSymbols`, while there are at least FAST_INPUT bytes of input. */
function decodeFast(first: usize, limit: usize): i32 {
  const fastEnd = end - FAST_INPUT;
  // Whole bytes go back to the input, because the loop has room for two bits less.
  let from = at - <usize>(held >> 3);
  let count = (held & 7) + OFFSET_BITS;
  let bits = (hold << OFFSET_BITS) & (((<u64>1) << count) - 1);
  let to = out;
  let stop = AT_LIMIT;
  // A shift by an entry shifts by its lowest six bits, which are the number of bits to drop. Bits above them do not
  // matter in `count` either.
  while (to < limit) {
    if (from > fastEnd) {
      stop = AT_INPUT_END;
      break;
    }
    bits |= load<u64>(from) << count;
    from += <usize>((63 - (count & 63)) >> 3);
    count |= 56;
    let entry = lengthEntry(bits);
    // After four literals of the main table, enough bits are left for another lookup.
    if (entry & LITERAL) {
      bits >>= entry;
      count -= entry;
      store<u8>(to++, <u8>(entry >> VALUE_SHIFT));
      entry = lengthEntry(bits);
      if (entry & LITERAL) {
        bits >>= entry;
        count -= entry;
        store<u8>(to++, <u8>(entry >> VALUE_SHIFT));
        entry = lengthEntry(bits);
        if (entry & LITERAL) {
          bits >>= entry;
          count -= entry;
          store<u8>(to++, <u8>(entry >> VALUE_SHIFT));
          entry = lengthEntry(bits);
          if (entry & LITERAL) {
            bits >>= entry;
            count -= entry;
            store<u8>(to++, <u8>(entry >> VALUE_SHIFT));
            continue;
          }
        }
      }
      bits |= load<u64>(from) << count;
      from += <usize>((63 - (count & 63)) >> 3);
      count |= 56;
    }
    if (entry & EXCEPTION) {
      if (entry & LINK) {
        bits >>= LENGTH_TABLE_BITS;
        count -= LENGTH_TABLE_BITS;
        entry = linkedEntry(lengthTable, entry, bits >> OFFSET_BITS);
        if (entry & LITERAL) {
          bits >>= entry;
          count -= entry;
          store<u8>(to++, <u8>(entry >> VALUE_SHIFT));
          continue;
        }
      }
      if (entry & EXCEPTION) {
        bits >>= entry;
        count -= entry;
        stop = entry & END ? AT_BLOCK_END : BROKEN;
        break;
      }
    }
    const length = valueOf(entry, bits >> OFFSET_BITS);
    bits >>= entry;
    count -= entry;
    entry = distanceEntry(bits);
    if (entry & LINK) {
      bits >>= DISTANCE_TABLE_BITS;
      count -= DISTANCE_TABLE_BITS;
      entry = linkedEntry(distanceTable, entry, bits >> OFFSET_BITS);
    }
    const distance = valueOf(entry, bits >> OFFSET_BITS);
    if (entry & INVALID || distance > to - first) {
      stop = BROKEN;
      break;
    }
    bits >>= entry;
    count -= entry;
    copyMatch(to, distance, length);
    to += length;
  }
  putBack(bits >> OFFSET_BITS, (count & 63) - OFFSET_BITS, from);
  out = to;
  return stop;
}

/** Decodes one symbol near the end of the input. @returns AT_LIMIT when there may be more symbols */
function decodeOne(first: usize): i32 {
  refill();
  if (held < MOST_BITS && !isLast) return AT_INPUT_END;
  let bits = hold;
  let used: u64 = 0;
  let entry = entryAt(lengthTable, bits, LENGTH_TABLE_BITS);
  if (entry & LINK) {
    bits >>= LENGTH_TABLE_BITS;
    used += LENGTH_TABLE_BITS;
    entry = linkedEntry(lengthTable, entry, bits);
  }
  if (entry & INVALID) return BROKEN;
  const value = valueOf(entry, bits);
  bits >>= entry;
  used += entry & 63;
  if (used > held) return BROKEN;
  if (entry & (LITERAL | END)) {
    putBack(bits, held - used, at);
    if (entry & END) return AT_BLOCK_END;
    store<u8>(out++, <u8>(entry >> VALUE_SHIFT));
    return AT_LIMIT;
  }
  entry = entryAt(distanceTable, bits, DISTANCE_TABLE_BITS);
  if (entry & LINK) {
    bits >>= DISTANCE_TABLE_BITS;
    used += DISTANCE_TABLE_BITS;
    entry = linkedEntry(distanceTable, entry, bits);
  }
  const distance = valueOf(entry, bits);
  used += entry & 63;
  if (entry & INVALID || used > held || distance > out - first) return BROKEN;
  putBack(bits >> entry, held - used, at);
  copyMatch(out, distance, value);
  out += value;
  return AT_LIMIT;
}
