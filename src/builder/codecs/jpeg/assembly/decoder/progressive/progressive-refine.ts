/** Entropy decoding of the later scans of a progressive AC band, each of one bit (ITU T.81 G.1.2.3). */
import { Component } from "../frame";
import { LENGTH_MASK, LOOKUP_BITS, longCode } from "../huffman";
import { Bits, REFILLED_BITS, Window } from "../input";
import { HISTORY_BYTES, ZERO_RUN } from "./progressive-ac";
import { Band } from "./progressive-dc";
import { FAULT_CODE, FAULT_COEFFICIENTS, fail } from "../status";
import { keptMask, keptOffsets } from "../zigzag";

/** Correction bits that may be read after a code of 16 bits and 14 bits of a run, without a refill; and with one. */
const BITS_AT_HAND: i32 = REFILLED_BITS - 30 - LOOKUP_BITS;
const BITS_AT_ONCE: i32 = REFILLED_BITS - LOOKUP_BITS;
/** A run that reaches past the end of any band. */
const WHOLE_BAND: i32 = 63;

/** Adds a correction bit (0 or 1) to the magnitude of a coefficient that is not 0. Both bits are equally likely. */
@inline
function correct(at: usize, bit: i32, step: i32): void {
  const value = <i32>load<i16>(at);
  const sign = value >> 31;
  store<i16>(at, <i16>(value + (((step ^ sign) - sign) & -bit)));
}

/** Returns the lowest `bits` bits set; all of them from 64 on. */
@inline
function lowest(bits: i32): u64 {
  return bits > 63 ? -1 : ((<u64>1) << (<u64>bits)) - 1;
}

/**
 * Decodes one more bit of a band (G.1.2.3), with the arguments of `decodeAcFirst`. Within a block, a run counts only
 * coefficients that are zero. Every other coefficient that it passes reads a correction bit, and so do those after the
 * last symbol of the band.
 * @returns the number of blocks decoded
 */
export function decodeAcRefine(
  component: Component,
  coefficients: usize,
  coefficientBytes: i32,
  history: usize,
  blocks: i32,
): i32 {
  let buffer = Bits.buffer;
  let count = Bits.count;
  let pointer = Bits.pointer;
  let endRun = Band.endRun;
  const limit = Window.limit;
  const table = component.acTable;
  const offsets = keptOffsets(component.log2Size);
  const kept = keptMask(component.log2Size);
  const bandEnd = Band.last;
  const step = 1 << Band.shift;
  const band = lowest(bandEnd + 1) & ~lowest(Band.first);
  const bytes = <usize>coefficientBytes;
  buffer |= load<u64>(pointer) >> (<u64>count);
  pointer -= (63 - count) >> 3;
  count |= 56;
  let done = 0;
  for (; done < blocks && pointer >= limit; done++, coefficients += bytes, history += HISTORY_BYTES) {
    let nonZero = load<u64>(history);
    let k = Band.first;
    while (k <= bandEnd) {
      let value = 0;
      let zeros = WHOLE_BAND;
      let entry = load<i32>(table + ((<usize>(buffer >> (64 - LOOKUP_BITS))) << 2));
      buffer |= load<u64>(pointer) >> (<u64>count);
      pointer -= (63 - count) >> 3;
      count |= 56;
      if (endRun == 0) {
        value = entry >> 16;
        if (value != 0) {
          buffer <<= <u64>entry;
          count -= entry & LENGTH_MASK;
          zeros = (entry >> 8) & 15;
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
            zeros = WHOLE_BAND;
          }
        }
      }

      // The run is longer by the number of non-zero coefficients in it.
      const ahead = (nonZero & band) >> (<u64>k);
      let corrections = 0;
      let length = zeros;
      while (true) {
        const found = <i32>popcnt(ahead & lowest(length + 1));
        if (found == corrections) break;
        corrections = found;
        length = zeros + found;
      }
      const next = k + length;

      if (corrections > BITS_AT_HAND) {
        buffer |= load<u64>(pointer) >> (<u64>count);
        pointer -= (63 - count) >> 3;
        count |= 56;
      }
      if (corrections > BITS_AT_ONCE) {
        for (let passed = ahead & lowest(length + 1); passed; passed &= passed - 1) {
          buffer |= load<u64>(pointer) >> (<u64>count);
          pointer -= (63 - count) >> 3;
          count |= 56;
          const at = k + <i32>ctz(passed);
          const isKept = (kept >> (<u64>at)) & 1;
          if (isKept) correct(coefficients + <usize>load<u8>(offsets + <usize>at), <i32>(buffer >> 63), step);
          buffer <<= 1;
          count--;
        }
      } else if (corrections) {
        const passed = ahead & lowest(length + 1);
        for (let wanted = passed & (kept >> (<u64>k)); wanted; wanted &= wanted - 1) {
          const bit = <i32>((buffer << popcnt(passed & (wanted - 1) & ~wanted)) >> 63);
          const at = k + <i32>ctz(wanted);
          correct(coefficients + <usize>load<u8>(offsets + <usize>at), bit, step);
        }
        buffer <<= <u64>corrections;
        count -= corrections;
      }

      if (value != 0) {
        // A coefficient that becomes non-zero in a refinement has one bit and is inside the band.
        if (value > 1 || value < -1) fail(FAULT_CODE);
        if (next > bandEnd) {
          fail(FAULT_COEFFICIENTS);
          break;
        }
        const bit = (<u64>1) << (<u64>next);
        nonZero |= bit;
        if (kept & bit) {
          store<i16>(coefficients + <usize>load<u8>(offsets + <usize>next), <i16>(value * step));
        }
      }
      k = next + 1;
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
