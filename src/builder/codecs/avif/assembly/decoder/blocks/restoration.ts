/** Reads the parameters of units of loop restoration (AV1 specification section 5.11.57). */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import {
  RESTORE_NONE,
  RESTORE_SELF_GUIDED,
  RESTORE_SWITCHABLE,
  RESTORE_WIENER,
  restorationType,
  unitLog2,
  usesRestoration,
} from "../headers/filter-params";
import { frameHeight, superresDenominator, upscaledWidth } from "../headers/frame";
import { planeCount, sbSize } from "../headers/sequence";
import { planeSubX, planeSubY } from "../planes";
import { cdfs, readLiteral, readBool, readSymbol2, readSymbol4, readUniform } from "../symbols/decoder";
import { RESTORATION_TYPE, USE_SELF_GUIDED, USE_WIENER } from "../tables/cdf-layout";
import { guidedReference, wienerReference } from "./restoration-references";
import { restorationReferences } from "./tile";

const UNIT_BYTES: usize = 8;
/** Rows of units that are kept, a power of two. */
const KEPT_ROWS: i32 = 4;
const SET_BITS: i32 = 4;
const GUIDED_BITS: i32 = 7;
const GUIDED_CODE: i32 = 4;

/** The least and largest values of factors, and the bits of their codes. */
const WIENER_LIMITS = memory.data<i8>([-5, -23, -17, 10, 8, 46]);
const GUIDED_LIMITS = memory.data<i8>([-96, -32, 31, 95]);

let units: usize = 0;

@inline
export function unitSize(plane: i32): i32 {
  return 1 << unitLog2(plane);
}

/** Returns the units that a side of the plane is divided into. */
function unitsOf(samples: i32, plane: i32): i32 {
  const size = unitSize(plane);
  return max((samples + (size >> 1)) / size, 1);
}

export function unitRows(plane: i32): i32 {
  const sub = planeSubY(plane);
  return unitsOf((frameHeight + sub) >> sub, plane);
}

export function unitColumns(plane: i32): i32 {
  const sub = planeSubX(plane);
  return unitsOf((upscaledWidth + sub) >> sub, plane);
}

/** Returns the bytes that `layOutRestoration` allocates. */
export function restorationBytes(): u64 {
  return usesRestoration ? <u64>(3 * KEPT_ROWS * (unitColumns(0) + unitColumns(1))) * UNIT_BYTES : 0;
}

export function layOutRestoration(): boolean {
  if (!usesRestoration) return true;
  units = allocate(restorationBytes());
  return units != 0;
}

/** Returns the parameters of a unit, as README.md says. */
export function restorationUnit(plane: i32, unitRow: i32, unitColumn: i32): usize {
  const most = unitColumns(0) + unitColumns(1);
  const row = plane * KEPT_ROWS + (unitRow & (KEPT_ROWS - 1));
  return units + <usize>(row * most + unitColumn) * UNIT_BYTES;
}

/** Implements decode_subexp_bool(). */
function readSubexponential(range: i32, k: i32): i32 {
  let base = 0;
  let bits = k;
  for (let i = 0; range > base + (3 << bits); i++) {
    if (!readBool()) return readLiteral(bits) + base;
    base += 1 << bits;
    if (i > 0) bits++;
  }
  return readUniform(range - base) + base;
}

function recentred(reference: i32, value: i32): i32 {
  if (value > 2 * reference) return value;
  return value & 1 ? reference - ((value + 1) >> 1) : reference + (value >> 1);
}

/** Implements decode_signed_subexp_with_ref_bool(), for values from `least` to `most`. */
function readNear(least: i32, most: i32, k: i32, reference: i32): i32 {
  const range = most + 1 - least;
  const value = readSubexponential(range, k);
  const from = reference - least;
  if (from << 1 <= range) return recentred(from, value) + least;
  return range - 1 - recentred(range - 1 - from, value) + least;
}

function readWiener(unit: usize, reference: usize, plane: i32): void {
  for (let pass = 0; pass < 2; pass++) {
    for (let i = plane > 0 ? 1 : 0; i < 3; i++) {
      const at = reference + pass * 3 + i;
      const least = load<i8>(WIENER_LIMITS + i);
      const value = readNear(least, load<i8>(WIENER_LIMITS + i, 3), i + 1, load<i8>(at));
      store<i8>(at, <i8>value);
      store<i8>(unit + pass * 3 + i, <i8>value, 1);
    }
  }
}

function readGuided(unit: usize, reference: usize): void {
  const set = readLiteral(SET_BITS);
  store<u8>(unit, set, 1);
  for (let i = 0; i < 2; i++) {
    const least = <i32>load<i8>(GUIDED_LIMITS + i);
    const most = <i32>load<i8>(GUIDED_LIMITS + i, 2);
    // Sets 10 to 13 have no second radius of their own, 14 and 15 no first one.
    const hasRadius = i == 0 ? set < 10 || set > 13 : set < 14;
    let value = 0;
    if (hasRadius) value = readNear(least, most, GUIDED_CODE, load<i8>(reference + i));
    else if (i == 1) value = min(max((1 << GUIDED_BITS) - load<i8>(reference), least), most);
    store<i8>(reference + i, <i8>value);
    store<i8>(unit + i, <i8>value, 2);
  }
}

function readUnit(plane: i32, unit: usize): void {
  store<u64>(unit, 0);
  let type = restorationType(plane);
  if (type == RESTORE_SWITCHABLE) type = readSymbol4(cdfs + RESTORATION_TYPE, 3);
  else if (!readSymbol2(cdfs + (type == RESTORE_WIENER ? USE_WIENER : USE_SELF_GUIDED))) type = RESTORE_NONE;
  store<u8>(unit, type);
  const references = restorationReferences();
  if (type == RESTORE_WIENER) readWiener(unit, wienerReference(references, plane), plane);
  else if (type == RESTORE_SELF_GUIDED) readGuided(unit, guidedReference(references, plane));
}

/** Reads the units whose first sample is in the superblock at (row, column), in units of 4 samples. */
export function readRestoration(row: i32, column: i32): void {
  if (!usesRestoration) return;
  const side = sbSize >> 2;
  for (let plane = 0; plane < planeCount; plane++) {
    if (restorationType(plane) == RESTORE_NONE) continue;
    const log2 = unitLog2(plane);
    const round = (1 << log2) - 1;
    const high = 4 >> planeSubY(plane);
    const firstRow = (row * high + round) >> log2;
    const endRow = min(unitRows(plane), ((row + side) * high + round) >> log2);
    // Columns are those of the enlarged frame.
    const wide = (4 >> planeSubX(plane)) * superresDenominator;
    const size = 8 << log2;
    const firstColumn = (column * wide + size - 1) / size;
    const endColumn = min(unitColumns(plane), ((column + side) * wide + size - 1) / size);
    for (let y = firstRow; y < endRow; y++) {
      for (let x = firstColumn; x < endColumn; x++) readUnit(plane, restorationUnit(plane, y, x));
    }
  }
}
