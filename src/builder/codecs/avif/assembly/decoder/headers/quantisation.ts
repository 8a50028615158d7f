/** Quantiser, segments and deltas of a frame (AV1 specification sections 5.9.12 to 5.9.18). */
import { hasSeparateDeltas, planeCount } from "./sequence";
import { readBit, readBits, readFlag, readSigned } from "./bits";

export let baseIndex: i32 = 0;
let lumaDc: i32 = 0;
let cbDc: i32 = 0;
let cbAc: i32 = 0;
let crDc: i32 = 0;
let crAc: i32 = 0;
/** Whether the frame has quantisation matrices, and their levels. */
export let usesMatrices = false;
let lumaMatrix: i32 = 15;
let cbMatrix: i32 = 15;
let crMatrix: i32 = 15;

export const MOST_SEGMENTS: i32 = 8;
const FEATURES: i32 = 8;
/** Features of segments: quantiser, deblocking levels of luma (V, H), Cb and Cr, reference frame, skip. */
export const SEGMENT_QUANTISER: i32 = 0;
export const SEGMENT_LEVEL: i32 = 1;
const SEGMENT_REFERENCE: i32 = 5;
export const SEGMENT_SKIP: i32 = 6;

export let hasSegments = false;
/** Whether the segment of a block is read before its skip flag. */
export let isSegmentFirst = false;
export let lastSegment: i32 = 0;

/** Values of features (i16) and whether they are enabled (u8), by segment. */
export const SEGMENT_TABLE_BYTES: u64 = 8 * 8 * 3;
let featureValues: usize = 0;
let featureFlags: usize = 0;

export let hasDeltas = false;
/** Bits by which deltas of the quantiser index are shifted up. */
export let deltaShift: i32 = 0;
export let hasLevelDeltas = false;
export let levelDeltaShift: i32 = 0;
/** Whether each of the deblocking levels has a delta of its own. */
export let hasManyLevelDeltas = false;

export function placeSegments(at: usize): void {
  featureValues = at;
  featureFlags = at + 8 * 8 * 2;
}

@inline
function featureOf(segment: i32, feature: i32): usize {
  return <usize>(segment * FEATURES + feature);
}

export function hasFeature(segment: i32, feature: i32): boolean {
  return hasSegments && load<u8>(featureFlags + featureOf(segment, feature)) != 0;
}

export function featureValue(segment: i32, feature: i32): i32 {
  return load<i16>(featureValues + (featureOf(segment, feature) << 1));
}

function readDelta(): i32 {
  return readFlag() ? readSigned(7) : 0;
}

export function readQuantisation(): void {
  baseIndex = readBits(8);
  lumaDc = readDelta();
  cbDc = 0;
  cbAc = 0;
  crDc = 0;
  crAc = 0;
  if (planeCount > 1) {
    const isSeparate = hasSeparateDeltas && readFlag();
    cbDc = readDelta();
    cbAc = readDelta();
    crDc = isSeparate ? readDelta() : cbDc;
    crAc = isSeparate ? readDelta() : cbAc;
  }
  usesMatrices = readFlag();
  if (usesMatrices) {
    lumaMatrix = readBits(4);
    cbMatrix = readBits(4);
    crMatrix = hasSeparateDeltas ? readBits(4) : cbMatrix;
  }
}

/** Reads one feature. @returns its value */
function readFeature(feature: i32): i32 {
  if (feature == SEGMENT_QUANTISER) return min(max(readSigned(9), -255), 255);
  if (feature < SEGMENT_REFERENCE) return min(max(readSigned(7), -63), 63);
  return feature == SEGMENT_REFERENCE ? readBits(3) : 0;
}

/** Implements segmentation_params() of a frame that depends on no other. */
export function readSegments(): void {
  hasSegments = readFlag();
  isSegmentFirst = false;
  lastSegment = 0;
  for (let segment = 0; segment < MOST_SEGMENTS; segment++) {
    for (let feature = 0; feature < FEATURES; feature++) {
      const at = featureOf(segment, feature);
      const isEnabled = hasSegments && readFlag();
      store<u8>(featureFlags + at, u8(isEnabled));
      store<i16>(featureValues + (at << 1), <i16>(isEnabled ? readFeature(feature) : 0));
      if (!isEnabled) continue;
      lastSegment = segment;
      if (feature >= SEGMENT_REFERENCE) isSegmentFirst = true;
    }
  }
}

export function readDeltas(allowIntraBlockCopy: boolean): void {
  deltaShift = 0;
  hasLevelDeltas = false;
  levelDeltaShift = 0;
  hasManyLevelDeltas = false;
  hasDeltas = baseIndex > 0 && readFlag();
  if (!hasDeltas) return;
  deltaShift = readBits(2);
  hasLevelDeltas = !allowIntraBlockCopy && readFlag();
  if (!hasLevelDeltas) return;
  levelDeltaShift = readBits(2);
  hasManyLevelDeltas = readBit() != 0;
}

/** Implements get_qindex() of section 7.12.2. */
export function indexOf(segment: i32, current: i32): i32 {
  if (!hasFeature(segment, SEGMENT_QUANTISER)) return current;
  return min(max(current + featureValue(segment, SEGMENT_QUANTISER), 0), 255);
}

export function isLossless(segment: i32): boolean {
  if (indexOf(segment, baseIndex) != 0) return false;
  return (lumaDc | cbDc | cbAc | crDc | crAc) == 0;
}

@inline
export function dcDelta(plane: i32): i32 {
  return plane == 0 ? lumaDc : plane == 1 ? cbDc : crDc;
}

@inline
export function acDelta(plane: i32): i32 {
  return plane == 0 ? 0 : plane == 1 ? cbAc : crAc;
}

/** Returns the level of the matrix of a plane; 15 is none. */
@inline
export function matrixLevel(plane: i32): i32 {
  if (!usesMatrices) return 15;
  return plane == 0 ? lumaMatrix : plane == 1 ? cbMatrix : crMatrix;
}
