/**
 * Visual masking: errors are less visible in a block with much detail than in a smooth one. Each block gets a mask, a
 * factor on the price of a bit: above 1 in detail, below 1 in smooth areas.
 */

/** Rows of luma blocks whose masks are kept, for the chroma blocks in the same place. */
const KEPT_ROWS: i32 = 2;

let masks: usize = 0;
let blocksWide = 0;
let constant: f32 = 0;
let power: f32 = 0;

/** Variance of samples at which a mask is 1. */
const COMMON_VARIANCE: f32 = 100;
/** Coefficients are 8 times as large as T.81 defines them, and a block has 64. */
const ENERGY_PER_VARIANCE: f32 = 8 * 8 * 64;

export function maskBytes(across: i32): u64 {
  return <u64>across * KEPT_ROWS * 4;
}

/**
 * @param room `maskBytes` of zeros
 * @param across luma blocks in a row
 * @param added is added to the variance of the samples: a larger value makes the masks of all blocks more alike
 * @param exponent of the masks; 0 makes all masks 1
 */
export function prepareMasks(room: usize, across: i32, added: f32, exponent: f32): void {
  masks = room;
  blocksWide = across;
  constant = added;
  power = exponent;
}

/** Returns the sum of the squares of all AC coefficients. */
function energy(block: usize): f32 {
  let sum = i32x4.splat(0);
  for (let at = block; at < block + 128; at += 16) {
    const row = v128.load(at);
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(row, row));
  }
  const dc = <i32>load<i16>(block);
  const all =
    i32x4.extract_lane(sum, 0) +
    i32x4.extract_lane(sum, 1) +
    i32x4.extract_lane(sum, 2) +
    i32x4.extract_lane(sum, 3);
  return <f32>(all - dc * dc);
}

@inline
function placeOf(row: i32, column: i32): usize {
  return masks + ((<usize>((row & 1) * blocksWide + column)) << 2);
}

/** Returns the mask of a luma block. It is kept for the chroma in the same place. */
export function blockMask(block: usize, row: i32, column: i32): f32 {
  const variance = energy(block) / ENERGY_PER_VARIANCE;
  const mask = Mathf.pow((variance + constant) / (COMMON_VARIANCE + constant), power);
  store<f32>(placeOf(row, column), mask);
  // The last row of blocks may have none below it.
  if ((row & 1) == 0) store<f32>(placeOf(1, column), mask);
  return mask;
}

/** Returns the mask of a chroma block: that of the luma in its place, the mean of four where chroma is halved. */
export function chromaMask(row: i32, column: i32, isHalved: boolean): f32 {
  if (!isHalved) return load<f32>(placeOf(row, column));
  const right = min(2 * column + 1, blocksWide - 1);
  const upper = load<f32>(placeOf(0, 2 * column)) + load<f32>(placeOf(0, right));
  return 0.25 * (upper + load<f32>(placeOf(1, 2 * column)) + load<f32>(placeOf(1, right)));
}
