/** Entropy decoding of further scans of a progressive AC band, one bit at a time (ITU T.81 G.1.2.3). */
import { Component } from "./frame";
import { LENGTH_MASK, LOOKUP_BITS, longCode } from "./huffman";
import { Bits, Window } from "./input";
import { HISTORY_BYTES, ZERO_RUN } from "./progressive-ac";
import { Band } from "./progressive-dc";
import { FAULT_CODE, FAULT_COEFFICIENTS, fail } from "./status";
import { NOT_KEPT, keptOffsets } from "./zigzag";

/** One refill serves this many correction bits. */
const BITS_A_REFILL: i32 = 32;

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
  for (; done < blocks && pointer >= limit; done++, coefficients += bytes, history += HISTORY_BYTES) {
    let nonZero = load<u64>(history);
    let ahead = band;
    while (ahead) {
      let value = 0;
      let next = bandEnd + 1;
      if (endRun == 0) {
        buffer |= load<u64>(pointer) >> (<u64>count);
        pointer -= (63 - count) >> 3;
        count |= 56;
        let entry = load<i32>(table + ((<usize>(buffer >> (64 - LOOKUP_BITS))) << 2));
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
              endRun += <i32>(buffer >> (<u64>(64 - zeros)));
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
        buffer |= load<u64>(pointer) >> (<u64>count);
        pointer -= (63 - count) >> 3;
        count |= 56;
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
        nonZero |= (<u64>1) << (<u64>next);
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
