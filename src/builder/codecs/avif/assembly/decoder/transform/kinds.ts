/** The transforms of rows and columns that a type has (AV1 specification section 7.13.3), and their shifts. */
import { ADST, DCT } from "../../transform/networks";

/** Neither DCT nor ADST: samples stay where they are. */
export const IDENTITY: i32 = 2;

/** Kinds of columns and of rows by type; 4 is added where the result is turned around. */
const COLUMN_KINDS = memory.data<u8>([0, 1, 0, 1, 5, 0, 5, 1, 5, 2, 0, 2, 1, 2, 5, 2]);
const ROW_KINDS = memory.data<u8>([0, 0, 1, 1, 0, 5, 5, 5, 1, 2, 2, 0, 2, 1, 2, 5]);
/** Transform_Row_Shift by size. */
const ROW_SHIFTS = memory.data<u8>([0, 1, 2, 2, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);

@inline
function kindOf(entry: u8): i32 {
  const kind = entry & 3;
  return kind == 2 ? IDENTITY : kind == 1 ? ADST : DCT;
}

export function columnKind(type: i32): i32 {
  return kindOf(load<u8>(COLUMN_KINDS + type));
}

export function rowKind(type: i32): i32 {
  return kindOf(load<u8>(ROW_KINDS + type));
}

/** Returns whether rows of the result are in the opposite order. */
export function isUpsideDown(type: i32): boolean {
  return load<u8>(COLUMN_KINDS + type) >= 4;
}

export function isMirrored(type: i32): boolean {
  return load<u8>(ROW_KINDS + type) >= 4;
}

@inline
export function rowShift(size: i32): i32 {
  return load<u8>(ROW_SHIFTS + size);
}

/** Returns the factor of an identity transform of 1 << log2 values, in 4096ths: square roots of 2, 4, 8 and 16. */
@inline
export function identityFactor(log2: i32): i32 {
  return log2 == 2 ? 5793 : log2 == 3 ? 8192 : log2 == 4 ? 11586 : 16384;
}
