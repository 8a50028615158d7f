/** How strong grain is on each value of a sample (AV1 specification section 7.18.3.4), as a table of all values. */
import { bitDepth } from "../../headers/sequence";

const VALUES: i32 = 256;

/** Returns the bytes of a table, one of each value of a sample. */
export function scalingBytes(): usize {
  return 1 << bitDepth;
}

/** Fills the table between two values, given in 8 bits, beginning with the first one. */
function fillBetween(table: usize, from: i32, end: i32, first: i32, last: i32): void {
  const shift = bitDepth - 8;
  const width = end - from;
  const delta = (last - first) * ((65536 + (width >> 1)) / width);
  for (let x = 0; x < width; x++) {
    const value = first + ((x * delta + 32768) >> 16);
    store<u8>(table + ((<usize>(from + x)) << shift), value);
  }
}

/** Interpolates values between those of 8 bits. */
function interpolate(table: usize): void {
  const shift = bitDepth - 8;
  if (shift == 0) return;
  const step = 1 << shift;
  for (let x = 0; x < VALUES; x++) {
    const at = table + ((<usize>x) << shift);
    const first = <i32>load<u8>(at);
    // Values past the last one of 8 bits have its strength.
    const range = x + 1 < VALUES ? <i32>load<u8>(at + step) - first : 0;
    for (let i = 1; i < step; i++) store<u8>(at + i, first + ((range * i + (step >> 1)) >> shift));
  }
}

/** Fills a table by `count` points of a value and a strength, both u8. */
export function fillScaling(table: usize, points: usize, count: i32): void {
  const shift = bitDepth - 8;
  if (count == 0) return memory.fill(table, 0, scalingBytes());
  const first = <i32>load<u8>(points);
  for (let x = 0; x < first; x++) store<u8>(table + ((<usize>x) << shift), load<u8>(points, 1));
  let at = points;
  for (let i = 0; i + 1 < count; i++, at += 2) {
    fillBetween(table, load<u8>(at), load<u8>(at, 2), load<u8>(at, 1), load<u8>(at, 3));
  }
  for (let x = <i32>load<u8>(at); x < VALUES; x++) store<u8>(table + ((<usize>x) << shift), load<u8>(at, 1));
  interpolate(table);
}

/** Returns the strengths of grain on eight values, as i16. */
@inline
export function strengthsOf(table: usize, values: v128): v128 {
  let found = i16x8.splat(0);
  found = v128.load8_lane(table + <usize>i16x8.extract_lane_u(values, 0), found, 0);
  found = v128.load8_lane(table + <usize>i16x8.extract_lane_u(values, 1), found, 1);
  found = v128.load8_lane(table + <usize>i16x8.extract_lane_u(values, 2), found, 2);
  found = v128.load8_lane(table + <usize>i16x8.extract_lane_u(values, 3), found, 3);
  found = v128.load8_lane(table + <usize>i16x8.extract_lane_u(values, 4), found, 4);
  found = v128.load8_lane(table + <usize>i16x8.extract_lane_u(values, 5), found, 5);
  found = v128.load8_lane(table + <usize>i16x8.extract_lane_u(values, 6), found, 6);
  found = v128.load8_lane(table + <usize>i16x8.extract_lane_u(values, 7), found, 7);
  return i16x8.extend_low_i8x16_u(found);
}
