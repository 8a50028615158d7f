/**
 * Chroma at half the width and height, for one group of 16 rows, and the luma that belongs to it.
 *
 * A decoder enlarges halved chroma by interpolation (libjpeg's "fancy upsampling": weights 3/4 and 1/4 per axis). Two
 * things are prepared for that. Chroma is sharpened a little after it is halved, because interpolation blurs it. And
 * each sample of luma is changed until the pixel, with the chroma that a decoder will have, is as bright as it was:
 * at the edge of a saturated colour, wrong chroma would show as wrong brightness.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { repairedLuma } from "./brightness";
import { SAMPLE_BYTES, halveSamples, lostByHalving } from "./samples";

const SAMPLE: usize = <usize>SAMPLE_BYTES;
const GROUP_ROWS: i32 = 16;
/** Rows of a halved plane: the last one of the group above, then those of the group. */
const HELD_ROWS: i32 = GROUP_ROWS / 2 + 1;
/** Bytes that the vector loops may touch past the end of a row. */
const SLACK: u64 = 64;

/**
 * The part, in 64ths, of its difference from its neighbours by which a sample of chroma is sharpened. More would bring
 * halved chroma nearer to the original, and cost more bytes than it gains by SSIMULACRA 2.
 */
const SHARPEN: i16 = 5;
const SHARPEN_BITS: i32 = 6;
const SHARPEN_HALF: i16 = 32;

/** Samples are around zero, with two fraction bits. */
const LEAST_SAMPLE: i16 = -512;
const MOST_SAMPLE: i16 = 511;
/** A change of chroma that is not worth a change of luma, in units of a sample: below three quarters of a level. */
const LEAST_CHANGE: i16 = 3;

/** Rows of luma as it is encoded beside halved chroma. */
export let repairedLumaRows: usize = 0;

/** Means of four samples, and the same sharpened: `HELD_ROWS` rows each. */
let meansCb: usize = 0;
let meansCr: usize = 0;
let sharpCb: usize = 0;
let sharpCr: usize = 0;
/** A halved row with room before and after it. */
let padding: usize = 0;
const PADDING_BYTES: usize = 16;
/** One row of enlarged Cb and one of Cr. */
let enlargedCb: usize = 0;
let enlargedCr: usize = 0;
/** Samples per row of a halved plane. */
let across = 0;
let rowBytes: usize = 0;
/** Whether a group came before. */
let hasAbove = false;

/** Sum of the squared errors that halving causes, over all samples of chroma at full size. */
export let lostChroma: f64 = 0;

/**
 * Allocates the planes.
 * @param stride samples per row at full size, a multiple of 16
 * @returns false when the memory is at its end
 */
export function layOutHalved(stride: i32): boolean {
  across = stride >> 1;
  rowBytes = <usize>(across * SAMPLE_BYTES);
  hasAbove = false;
  const held = <u64>rowBytes * HELD_ROWS + SLACK;
  meansCb = allocate(held);
  meansCr = allocate(held);
  sharpCb = allocate(held);
  sharpCr = allocate(held);
  enlargedCb = allocate(2 * <u64>rowBytes + SLACK);
  enlargedCr = allocate(2 * <u64>rowBytes + SLACK);
  padding = allocate(<u64>rowBytes + 2 * <u64>PADDING_BYTES + SLACK);
  repairedLumaRows = allocate(2 * <u64>rowBytes * GROUP_ROWS + SLACK);
  return meansCb && meansCr && sharpCb && sharpCr && enlargedCb && enlargedCr && padding && repairedLumaRows
    ? true
    : false;
}

/** Returns the address of the eight rows of halved Cb of the group. */
export function halvedCbRows(): usize {
  return sharpCb + rowBytes;
}

export function halvedCrRows(): usize {
  return sharpCr + rowBytes;
}

/**
 * Halves the chroma of two rows.
 * @param pair the index of the two rows in the group, 0 to 7
 */
export function halvePair(pair: i32, upperCb: usize, upperCr: usize): void {
  const stride = 2 * across;
  const lower = rowBytes << 1;
  const out = rowBytes * <usize>(pair + 1);
  halveSamples(upperCb, upperCb + lower, stride, meansCb + out);
  halveSamples(upperCr, upperCr + lower, stride, meansCr + out);
  lostChroma += lostByHalving(upperCb, upperCb + lower, stride, meansCb + out);
  lostChroma += lostByHalving(upperCr, upperCr + lower, stride, meansCr + out);
}

/** Sharpens the halved chroma of a whole group, and makes the luma that belongs to it. */
export function finishHalved(luma: usize, cb: usize, cr: usize): void {
  keepAbove(meansCb);
  keepAbove(meansCr);
  sharpen(meansCb, sharpCb);
  sharpen(meansCr, sharpCr);
  keepAbove(sharpCb);
  keepAbove(sharpCr);
  const bytes = rowBytes << 1;
  for (let row = 0; row < GROUP_ROWS; row++) {
    const at = bytes * <usize>row;
    enlarge(sharpCb, row, enlargedCb);
    enlarge(sharpCr, row, enlargedCr);
    repairRow(luma + at, cb + at, cr + at, repairedLumaRows + at);
  }
  const last = rowBytes * (HELD_ROWS - 1);
  memory.copy(meansCb, meansCb + last, rowBytes);
  memory.copy(meansCr, meansCr + last, rowBytes);
  memory.copy(sharpCb, sharpCb + last, rowBytes);
  memory.copy(sharpCr, sharpCr + last, rowBytes);
  hasAbove = true;
}

/** Repeats the first row above the first group of a picture, which has no other. */
function keepAbove(plane: usize): void {
  if (!hasAbove) memory.copy(plane, plane + rowBytes, rowBytes);
}

@inline
function limited(samples: v128): v128 {
  return i16x8.max_s(i16x8.splat(LEAST_SAMPLE), i16x8.min_s(i16x8.splat(MOST_SAMPLE), samples));
}

/** Moves each sample away from the mean of its four neighbours. Those at either end are their own neighbour. */
function sharpen(from: usize, to: usize): void {
  for (let row = 1; row < HELD_ROWS; row++) {
    const own = from + rowBytes * <usize>row;
    const below = row + 1 < HELD_ROWS ? own + rowBytes : own;
    const padded = pad(own);
    const out = to + rowBytes * <usize>row;
    for (let at: usize = 0; at < rowBytes; at += 16) {
      const value = v128.load(own + at);
      const beside = i16x8.add(v128.load(padded + at - SAMPLE), v128.load(padded + at + SAMPLE));
      const others = i16x8.add(beside, i16x8.add(v128.load(own + at - rowBytes), v128.load(below + at)));
      const change = i16x8.mul(i16x8.sub(i16x8.shl(value, 2), others), i16x8.splat(SHARPEN));
      const rounded = i16x8.shr_s(i16x8.add(change, i16x8.splat(SHARPEN_HALF)), SHARPEN_BITS);
      v128.store(out + at, limited(i16x8.add(value, rounded)));
    }
  }
}

/** Copies a row to where it has its first sample before it and its last one after it. @returns the copy's address */
function pad(row: usize): usize {
  const copy = padding + PADDING_BYTES;
  memory.copy(copy, row, rowBytes);
  closeEnds(copy);
  return copy;
}

@inline
function closeEnds(row: usize): void {
  store<i16>(row - SAMPLE, load<i16>(row));
  store<i16>(row + rowBytes, load<i16>(row + rowBytes - SAMPLE));
}

/**
 * Enlarges a row of chroma as decoders do. Of the last row's neighbour below, which is not known yet, its own row
 * takes the place.
 */
function enlarge(plane: usize, row: i32, out: usize): void {
  const near = plane + rowBytes * <usize>((row >> 1) + 1);
  const far = (row & 1) == 0 ? near - rowBytes : row == GROUP_ROWS - 1 ? near : near + rowBytes;
  const sums = padding + PADDING_BYTES;
  const three = i16x8.splat(3);
  for (let at: usize = 0; at < rowBytes; at += 16) {
    const sum = i16x8.add(i16x8.mul(v128.load(near + at), three), v128.load(far + at));
    v128.store(sums + at, sum);
  }
  closeEnds(sums);
  for (let at: usize = 0; at < rowBytes; at += 16) {
    const most = i16x8.mul(v128.load(sums + at), three);
    const left = i16x8.add(i16x8.add(most, v128.load(sums + at - SAMPLE)), i16x8.splat(8));
    const right = i16x8.add(i16x8.add(most, v128.load(sums + at + SAMPLE)), i16x8.splat(7));
    const even = i16x8.shr_s(left, 4);
    const odd = i16x8.shr_s(right, 4);
    v128.store(out + (at << 1), v128.shuffle<i16>(even, odd, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(out + (at << 1), v128.shuffle<i16>(even, odd, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  }
}

/** Makes a row of luma for the enlarged chroma. Where chroma hardly changed, luma stays. */
function repairRow(luma: usize, cb: usize, cr: usize, out: usize): void {
  const bytes = rowBytes << 1;
  const least = i16x8.splat(LEAST_CHANGE);
  for (let at: usize = 0; at < bytes; at += 16) {
    const y = v128.load(luma + at);
    const oldCb = v128.load(cb + at);
    const oldCr = v128.load(cr + at);
    const newCb = v128.load(enlargedCb + at);
    const newCr = v128.load(enlargedCr + at);
    const cbOff = i16x8.abs(i16x8.sub(oldCb, newCb));
    const crOff = i16x8.abs(i16x8.sub(oldCr, newCr));
    const isChanged = v128.any_true(i16x8.ge_s(i16x8.max_s(cbOff, crOff), least));
    v128.store(out + at, isChanged ? limited(repairedLuma(y, oldCb, oldCr, newCb, newCr)) : y);
  }
}
