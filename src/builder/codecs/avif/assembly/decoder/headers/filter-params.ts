/** Parameters of the filters behind reconstruction (AV1 specification sections 5.9.11, 5.9.19 and 5.9.20). */
import { readBit, readBits, readFlag, readSigned } from "./bits";
import { enableCdef, enableRestoration, planeCount, sbSize, subX, subY } from "./sequence";

export const RESTORE_NONE: i32 = 0;
export const RESTORE_WIENER: i32 = 1;
export const RESTORE_SELF_GUIDED: i32 = 2;
export const RESTORE_SWITCHABLE: i32 = 3;

export let loopFilterLevelV: i32 = 0;
export let loopFilterLevelH: i32 = 0;
export let loopFilterLevelU: i32 = 0;
export let loopFilterLevelW: i32 = 0;
export let loopFilterSharpness: i32 = 0;
/** Whether levels change with the reference frame, and by how much they do in intra blocks. */
export let hasReferenceDeltas = false;
export let intraDelta: i32 = 1;

export let cdefOn = false;
export let cdefDamping: i32 = 3;
export let cdefBits: i32 = 0;
/** Strengths of luma and then of chroma (u8), primary << 2 | secondary. */
export const FILTER_TABLE_BYTES: u64 = 16;
let strengths: usize = 0;

export let usesRestoration = false;
let restorationTypes: i32 = 0;
let lumaUnitLog2: i32 = 6;
let chromaUnitLog2: i32 = 6;

export function placeFilters(at: usize): void {
  strengths = at;
}

export function cdefLuma(i: i32): i32 {
  return load<u8>(strengths + i);
}

export function cdefChroma(i: i32): i32 {
  return load<u8>(strengths + i, 8);
}

export function restorationType(plane: i32): i32 {
  return (restorationTypes >> (2 * plane)) & 3;
}

/** Returns log2 of the samples on a side of a restoration unit. */
export function unitLog2(plane: i32): i32 {
  return plane == 0 ? lumaUnitLog2 : chromaUnitLog2;
}

/** Implements loop_filter_params(). */
export function readLoopFilter(isOff: boolean): void {
  loopFilterLevelV = 0;
  loopFilterLevelH = 0;
  loopFilterLevelU = 0;
  loopFilterLevelW = 0;
  hasReferenceDeltas = false;
  intraDelta = 1;
  if (isOff) return;
  loopFilterLevelV = readBits(6);
  loopFilterLevelH = readBits(6);
  if (planeCount > 1 && (loopFilterLevelV | loopFilterLevelH) != 0) {
    loopFilterLevelU = readBits(6);
    loopFilterLevelW = readBits(6);
  }
  loopFilterSharpness = readBits(3);
  hasReferenceDeltas = readFlag();
  if (!hasReferenceDeltas || !readFlag()) return;
  // Eight reference frames, of which intra is the first, and then two modes.
  for (let i = 0; i < 10; i++) {
    if (!readFlag()) continue;
    const delta = readSigned(7);
    if (i == 0) intraDelta = delta;
  }
}

/** Implements cdef_params(). */
export function readCdefParams(isOff: boolean): void {
  cdefOn = enableCdef && !isOff;
  cdefBits = 0;
  cdefDamping = 3;
  if (!cdefOn) return;
  cdefDamping = readBits(2) + 3;
  cdefBits = readBits(2);
  for (let i = 0; i < 1 << cdefBits; i++) {
    store<u8>(strengths + i, readBits(6));
    store<u8>(strengths + i, planeCount > 1 ? readBits(6) : 0, 8);
  }
}

/** Implements lr_params(). */
export function readRestorationParams(isOff: boolean): void {
  usesRestoration = false;
  restorationTypes = 0;
  lumaUnitLog2 = 6;
  chromaUnitLog2 = 6;
  if (isOff || !enableRestoration) return;
  for (let plane = 0; plane < planeCount; plane++) {
    const coded = readBits(2);
    const type = coded == 0 ? RESTORE_NONE : coded == 1 ? RESTORE_SWITCHABLE : coded - 1;
    restorationTypes |= type << (2 * plane);
  }
  if (restorationTypes == 0) return;
  usesRestoration = true;
  let shift = readBit();
  if (sbSize == 128) shift++;
  else if (shift) shift += readBit();
  lumaUnitLog2 = 6 + shift;
  const hasShift = subX && subY && restorationTypes >> 2 != 0;
  chromaUnitLog2 = lumaUnitLog2 - (hasShift ? readBit() : 0);
}
