/** Entropy decoding of progressive DC scans (ITU T.81 G.1.2.1), and the state that all progressive scans share. */
import { Component } from "../frame";
import { LENGTH_MASK, LOOKUP_BITS, WHOLE, extend, longCode } from "../huffman";
import { Bits } from "../input";

/** The band of the current AC scan (B.2.3: Ss, Se, Al), and the blocks that are left of an end-of-band run. */
export abstract class Band {
  static first: i32 = 0;
  static last: i32 = 0;
  static shift: i32 = 0;
  static endRun: i32 = 0;
}

/** Decodes the first bits of a block's DC coefficient (G.1.2.1). */
export function decodeDcFirst(component: Component, coefficients: usize): void {
  let buffer = Bits.buffer;
  let count = Bits.count;
  const table = component.dcTable;
  buffer |= load<u64>(Bits.pointer) >> (<u64>count);
  Bits.pointer -= (63 - count) >> 3;
  count |= 56;
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

/** Decodes one more bit of a block's DC coefficient (G.1.2.1). */
export function decodeDcRefine(coefficients: usize): void {
  if (Bits.count == 0) {
    Bits.buffer = load<u64>(Bits.pointer);
    Bits.count = 56;
    Bits.pointer -= 7;
  }
  const bit = <i32>(Bits.buffer >>> 63);
  Bits.buffer <<= 1;
  Bits.count--;
  store<i16>(coefficients, <i16>((<i32>load<i16>(coefficients)) | (bit << Band.shift)));
}
