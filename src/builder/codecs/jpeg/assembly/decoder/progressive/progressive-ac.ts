/**
 * Entropy decoding of the first scan of a progressive AC band (ITU T.81 G.1.2.2). Only the coefficients that the chosen
 * size needs are stored. Refinement must know which of the others are not zero, so one bit is stored for each.
 */
import { Component } from "../frame";
import { LENGTH_MASK, LOOKUP_BITS, extend, longCode } from "../huffman";
import { Bits, Window } from "../input";
import { Band } from "./progressive-dc";
import { FAULT_COEFFICIENTS, fail } from "../status";
import { NOT_KEPT, keptOffsets } from "../zigzag";

/** A symbol with this run and no value means sixteen zeros. With a shorter run and no value, it ends the band. */
export const ZERO_RUN: i32 = 15;
export const HISTORY_BYTES: usize = 8;

/**
 * Decodes a band of `blocks` neighbouring blocks (G.1.2.2), or of fewer when the window runs low.
 * @param coefficients address of those of the first block; those of the next block are `coefficientBytes` further
 * @param history address of the history of the first block
 * @returns the number of blocks decoded
 */
export function decodeAcFirst(
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
  const first = Band.first;
  const bandEnd = Band.last;
  const shift = Band.shift;
  const bytes = <usize>coefficientBytes;
  buffer |= load<u64>(pointer) >> (<u64>count);
  pointer -= (63 - count) >> 3;
  count |= 56;
  let done = 0;
  for (; done < blocks && pointer >= limit; done++, coefficients += bytes, history += HISTORY_BYTES) {
    if (endRun > 0) {
      endRun--;
      continue;
    }
    let nonZero = load<u64>(history);
    let k = first;
    while (k <= bandEnd) {
      let entry = load<i32>(table + ((<usize>(buffer >> (64 - LOOKUP_BITS))) << 2));
      buffer |= load<u64>(pointer) >> (<u64>count);
      pointer -= (63 - count) >> 3;
      count |= 56;
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
