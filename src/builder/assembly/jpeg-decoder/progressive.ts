/**
 * Entropy decoding of progressive scans (ITU T.81 G.1.2, G.2). Only the coefficients that the chosen size needs
 * are kept; refinement has to know which of the others are not zero, so a bit is kept for each.
 */
import { Component } from "./frame";
import { LENGTH_MASK, LOOKUP_BITS, WHOLE, extend, longCode } from "./huffman";
import { Bits, Window } from "./input";
import { FAULT_CODE, FAULT_COEFFICIENTS, fail } from "./status";
import { NOT_KEPT, keptOffsets } from "./zigzag";

const ZERO_RUN: i32 = 15;
/** One refill serves this many correction bits. */
const BITS_A_REFILL: i32 = 32;
const HISTORY_BYTES: usize = 8;

/** The band of the current AC scan (B.2.3: Ss, Se, Al), and blocks still to pass in an end-of-band run. */
export abstract class Band {
  static first: i32 = 0;
  static last: i32 = 0;
  static shift: i32 = 0;
  static endRun: i32 = 0;
}

/** G.1.2.1: the first bits of a block's DC coefficient. */
export function decodeDcFirst(component: Component, coefficients: usize): void {
  let buffer = Bits.buffer;
  let count = Bits.count;
  const table = component.dcTable;
  if (count < 32) {
    buffer |= (<u64>load<u32>(Bits.pointer)) << (<u64>(32 - count));
    count += 32;
    Bits.pointer += 4;
  }
  let entry = load<i32>(table + ((<usize>(buffer >> (64 - LOOKUP_BITS))) << 2));
  let value = 0;
  if (entry & WHOLE) {
    buffer <<= <u64>entry;
    count -= entry & LENGTH_MASK;
    value = entry >> 16;
  } else {
    if (entry == 0) entry = longCode(table, <i32>(buffer >> 48));
    buffer <<= <u64>entry;
    count -= entry & LENGTH_MASK;
    const bits = (entry >> 8) & 15;
    if (bits) {
      value = extend(<i32>(buffer >> (<u64>(64 - bits))), bits);
      buffer <<= <u64>bits;
      count -= bits;
    }
  }
  value += component.prediction;
  component.prediction = value;
  store<i16>(coefficients, <i16>(value << Band.shift));
  Bits.buffer = buffer;
  Bits.count = count;
}

/** G.1.2.1: one more bit of a block's DC coefficient. */
export function decodeDcRefine(coefficients: usize): void {
  if (Bits.count == 0) {
    Bits.buffer = (<u64>load<u32>(Bits.pointer)) << 32;
    Bits.count = 32;
    Bits.pointer += 4;
  }
  const bit = <i32>(Bits.buffer >>> 63);
  Bits.buffer <<= 1;
  Bits.count--;
  store<i16>(coefficients, <i16>((<i32>load<i16>(coefficients)) | (bit << Band.shift)));
}

/**
 * G.1.2.2: decodes a band of `blocks` neighbouring blocks, or fewer when the window runs low.
 * @param block index of the first block in the component's arrays
 * @returns blocks done
 */
export function decodeAcFirst(component: Component, block: usize, blocks: i32): i32 {
  let buffer = Bits.buffer;
  let count = Bits.count;
  let pointer = Bits.pointer;
  let endRun = Band.endRun;
  const limit = Window.limit;
  const table = component.acTable;
  const offsets = keptOffsets(component.log2Size);
  const first = Band.first;
  const bandEnd = Band.last;
  const shift = Band.shift;
  const bytes = <usize>component.coefficientBytes;
  let coefficients = component.coefficients + block * bytes;
  let history = component.history + block * HISTORY_BYTES;
  let done = 0;
  for (; done < blocks && pointer <= limit; done++, coefficients += bytes, history += HISTORY_BYTES) {
    if (endRun > 0) {
      endRun--;
      continue;
    }
    let nonZero = load<u64>(history);
    let k = first;
    while (k <= bandEnd) {
      if (count < 32) {
        buffer |= (<u64>load<u32>(pointer)) << (<u64>(32 - count));
        count += 32;
        pointer += 4;
      }
      let entry = load<i32>(table + ((<usize>(buffer >> (64 - LOOKUP_BITS))) << 2));
      let value: i32;
      if (entry >>> 16) {
        buffer <<= <u64>entry;
        count -= entry & LENGTH_MASK;
        k += (entry >> 8) & 15;
        value = entry >> 16;
      } else {
        if (entry == 0) entry = longCode(table, <i32>(buffer >> 48));
        buffer <<= <u64>entry;
        count -= entry & LENGTH_MASK;
        const bits = (entry >> 8) & 15;
        const zeros = entry >> 12;
        if (bits == 0) {
          if (zeros < ZERO_RUN) {
            endRun = (1 << zeros) - 1;
            if (zeros) {
              endRun += <i32>(buffer >> (<u64>(64 - zeros)));
              buffer <<= <u64>zeros;
              count -= zeros;
            }
            break;
          }
          k += 16;
          continue;
        }
        k += zeros;
        value = extend(<i32>(buffer >> (<u64>(64 - bits))), bits);
        buffer <<= <u64>bits;
        count -= bits;
      }
      if (k > bandEnd) {
        fail(FAULT_COEFFICIENTS);
        break;
      }
      nonZero |= (<u64>1) << (<u64>k);
      const at = load<u8>(offsets + <usize>k);
      if (at != NOT_KEPT) store<i16>(coefficients + <usize>at, <i16>(value << shift));
      k++;
    }
    store<u64>(history, nonZero);
  }
  Band.endRun = endRun;
  Bits.buffer = buffer;
  Bits.count = count;
  Bits.pointer = pointer;
  return done;
}

/** Adds a correction bit to the magnitude of a coefficient. */
// @ts-ignore: decorator
@inline
function correct(at: usize, step: i32): void {
  const value = <i32>load<i16>(at);
  store<i16>(at, <i16>(value >= 0 ? value + step : value - step));
}

/** The lowest `bits` set bits of a mask removed. */
// @ts-ignore: decorator
@inline
function dropLowest(mask: u64, bits: i32): u64 {
  for (; bits > 0; bits--) mask &= mask - 1;
  return mask;
}

// @ts-ignore: decorator
@inline
function bitsFrom(k: i32): u64 {
  return k > 63 ? 0 : (<u64>-1) << (<u64>k);
}

/**
 * G.1.2.3: as decodeAcFirst, for one more bit of a band. Within a block a run counts zero coefficients only, and
 * every other coefficient that it passes takes a correction bit; so do those behind the end of the band.
 * @returns blocks done
 */
export function decodeAcRefine(component: Component, block: usize, blocks: i32): i32 {
  let buffer = Bits.buffer;
  let count = Bits.count;
  let pointer = Bits.pointer;
  let endRun = Band.endRun;
  const limit = Window.limit;
  const table = component.acTable;
  const offsets = keptOffsets(component.log2Size);
  const lastUseful = component.lastUseful;
  const bandEnd = Band.last;
  const step = 1 << Band.shift;
  const band = bitsFrom(Band.first) & ~bitsFrom(bandEnd + 1);
  const bytes = <usize>component.coefficientBytes;
  let coefficients = component.coefficients + block * bytes;
  let history = component.history + block * HISTORY_BYTES;
  let done = 0;
  for (; done < blocks && pointer <= limit; done++, coefficients += bytes, history += HISTORY_BYTES) {
    let nonZero = load<u64>(history);
    let ahead = band;
    while (ahead) {
      let value = 0;
      let next = bandEnd + 1;
      if (endRun == 0) {
        if (count < 32) {
          buffer |= <u64>load<u32>(pointer) << <u64>(32 - count);
          count += 32;
          pointer += 4;
        }
        let entry = load<i32>(table + (<usize>(buffer >> (64 - LOOKUP_BITS)) << 2));
        let zeros = (entry >> 8) & 15;
        value = entry >> 16;
        if (value != 0) {
          buffer <<= <u64>entry;
          count -= entry & LENGTH_MASK;
        } else {
          if (entry == 0) entry = longCode(table, <i32>(buffer >> 48));
          buffer <<= <u64>entry;
          count -= entry & LENGTH_MASK;
          zeros = entry >> 12;
          const bits = (entry >> 8) & 15;
          if (bits) {
            value = bits > 1 ? 2 : buffer >>> 63 ? 1 : -1;
            buffer <<= 1;
            count--;
          } else if (zeros < ZERO_RUN) {
            endRun = 1 << zeros;
            if (zeros) {
              endRun += <i32>(buffer >> <u64>(64 - zeros));
              buffer <<= <u64>zeros;
              count -= zeros;
            }
          }
        }
        if (endRun == 0) {
          const landing = dropLowest(~nonZero & ahead, zeros);
          if (landing) next = <i32>ctz(landing);
        }
      }

      let passed = nonZero & ahead & ~bitsFrom(next);
      while (passed) {
        if (count < 32) {
          buffer |= <u64>load<u32>(pointer) << <u64>(32 - count);
          count += 32;
          pointer += 4;
        }
        const k = <i32>ctz(passed);
        if (k > lastUseful) {
          const rest = min<i32>(<i32>popcnt(passed), BITS_A_REFILL);
          buffer <<= <u64>rest;
          count -= rest;
          passed = rest < BITS_A_REFILL ? 0 : dropLowest(passed, rest);
          continue;
        }
        const at = load<u8>(offsets + <usize>k);
        if (buffer >>> 63 && at != NOT_KEPT) correct(coefficients + <usize>at, step);
        buffer <<= 1;
        count--;
        passed &= passed - 1;
      }

      if (value != 0) {
        // A coefficient that becomes non-zero in a refinement has one bit, and is inside the band.
        if (value > 1 || value < -1) fail(FAULT_CODE);
        if (next > bandEnd) {
          fail(FAULT_COEFFICIENTS);
          break;
        }
        nonZero |= <u64>1 << <u64>next;
        const at = load<u8>(offsets + <usize>next);
        if (at != NOT_KEPT) store<i16>(coefficients + <usize>at, <i16>(value * step));
      }
      ahead &= bitsFrom(next + 1);
    }
    store<u64>(history, nonZero);
    if (endRun > 0) endRun--;
  }
  Band.endRun = endRun;
  Bits.buffer = buffer;
  Bits.count = count;
  Bits.pointer = pointer;
  return done;
}
