/**
 * The groups of five prefix codes each by which pixels are coded, and the group of each tile (RFC 9649, 3.7.2.2). Groups
 * that no tile has are read, but not kept, and the others are numbered anew without them.
 */
import { readCode, table } from "./code-lengths";
import { rootMask } from "./prefix-table";
import { takeReserve } from "./reserve";

/** The codes of a group, in their order. */
export const GREEN: i32 = 0;
export const RED: i32 = 1;
export const BLUE: i32 = 2;
export const ALPHA: i32 = 3;
export const PLACE: i32 = 4;
const CODES: i32 = 5;

export const GREEN_SYMBOLS: i32 = 280;
const SAMPLE_SYMBOLS: i32 = 256;
const PLACE_SYMBOLS: i32 = 40;

/**
 * A group: of each code the address of its table and the mask of its first table (u32 each). Then the samples of red,
 * blue and alpha as a pixel, and whether each of them has one symbol only (u32 each).
 */
const RECORD_BYTES: u32 = 48;
export const MASK: usize = 4;
export const SAMPLES: usize = 40;
export const IS_PLAIN: usize = 44;

let groups: usize = 0;
/** The groups that the file states, and of these how many codes were read. */
let stated: u32 = 0;
let codesRead: u32 = 0;
/** The symbols of the first code. */
let greenSymbols: i32 = 0;

/** Which of the groups 0 to 65535 tiles have, as bits, and how many used ones precede those of each 64 bits (u32). */
const GROUPS_MAX: i32 = 65536;
const used = memory.data(65536 / 8);
const before = memory.data(4 * (65536 / 64));
let highest: u32 = 0;

@inline
export function groupAt(index: u32): usize {
  return groups + <usize>(index * RECORD_BYTES);
}

/** Forgets which groups are used. */
export function forgetUse(): void {
  memory.fill(used, 0, GROUPS_MAX / 8);
  highest = 0;
}

@inline
export function noteUse(group: u32): void {
  const at = used + ((<usize>(group >> 6)) << 3);
  store<u64>(at, load<u64>(at) | ((<u64>1) << (group & 63)));
  highest = max(highest, group);
}

@inline
function isUsed(group: u32): boolean {
  return ((load<u64>(used + ((<usize>(group >> 6)) << 3)) >> (group & 63)) & 1) != 0;
}

/** Returns the number of a used group among the used ones. */
@inline
function numberOf(group: u32): u32 {
  const word = load<u64>(used + ((<usize>(group >> 6)) << 3));
  const lower = word & (((<u64>1) << (group & 63)) - 1);
  return load<u32>(before + ((<usize>(group >> 6)) << 2)) + <u32>popcnt(lower);
}

/** Gives new numbers to the groups in the image of tiles (u16). */
export function numberGroups(tiles: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const at = tiles + ((<usize>i) << 1);
    store<u16>(at, <u16>numberOf(load<u16>(at)));
  }
}

/**
 * Begins with the codes of the groups up to the highest used one.
 * @returns false when the reserve is used up
 */
export function startGroups(cacheBits: u32): boolean {
  let count: u32 = 0;
  for (let word: usize = 0; word < <usize>(GROUPS_MAX / 64); word++) {
    store<u32>(before + (word << 2), count);
    count += <u32>popcnt(load<u64>(used + (word << 3)));
  }
  greenSymbols = GREEN_SYMBOLS + (cacheBits ? 1 << cacheBits : 0);
  stated = highest + 1;
  codesRead = 0;
  groups = takeReserve(count * RECORD_BYTES);
  return groups != 0;
}

/** Starts with one group for all pixels. */
export function startOneGroup(cacheBits: u32): boolean {
  forgetUse();
  noteUse(0);
  return startGroups(cacheBits);
}

@inline
export function areGroupsRead(): boolean {
  return codesRead == stated * CODES;
}

/** Returns the entry of a code of one symbol. */
@inline
function soleSymbol(group: usize, code: i32): u32 {
  return (<u32>load<u16>(load<u32>(group + ((<usize>code) << 3)))) >> 4;
}

@inline
function isSole(group: usize, code: i32): boolean {
  return load<u32>(group + ((<usize>code) << 3), MASK) == 0;
}

/**
 * Reads the next code into `table`.
 * @returns the number of its entries; 0 for an invalid code
 */
export function readNextCode(): u32 {
  const code = <i32>(codesRead % CODES);
  return readCode(code == GREEN ? greenSymbols : code == PLACE ? PLACE_SYMBOLS : SAMPLE_SYMBOLS);
}

/** Keeps the code that was read, if its group is used. @returns false when the reserve is used up */
export function keepCode(entries: u32): boolean {
  const group = codesRead / CODES;
  const code = <i32>(codesRead % CODES);
  codesRead++;
  if (!isUsed(group)) return true;
  const kept = takeReserve(2 * entries);
  if (!kept) return false;
  memory.copy(kept, table, <usize>(2 * entries));
  const record = groupAt(numberOf(group));
  store<u32>(record + ((<usize>code) << 3), <u32>kept);
  store<u32>(record + ((<usize>code) << 3), rootMask, MASK);
  if (code < PLACE) return true;
  const red = soleSymbol(record, RED) << 16;
  store<u32>(record, (soleSymbol(record, ALPHA) << 24) | red | soleSymbol(record, BLUE), SAMPLES);
  // The place of the record may have held another one before.
  store<u32>(record, u32(isSole(record, RED) && isSole(record, BLUE) && isSole(record, ALPHA)), IS_PLAIN);
  return true;
}
