/**
 * Predicts alpha from its neighbours, each tile in one of the 14 ways of VP8L's predictor transform (RFC 9649, 4.1), and
 * keeps what is left. Alpha is in the green channel; the others never change.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { log2 } from "../symbols/log2";

const MODES: i32 = 14;
const NONE: i32 = 0;
const LEFT: i32 = 1;
const ABOVE: i32 = 2;
/** Another way than that of a neighbouring tile must save as much, in parts of a bit. */
const WORTH: u32 = 160;
const PARTS: f32 = 16;
const BITS_PER_CHANGE: f32 = 5;

let width = 0;
let tileBits = 0;
let tilesAcross = 0;
/** The way of each tile (u8). */
export let alphaModes: usize = 0;
/** The counts of each residual so far (u32), and its supposed cost, in parts of a bit (u32). */
const counts = memory.data(256 * 4);
const costs = memory.data(256 * 4);

/** @returns false when the memory is at its end */
export function layOutPrediction(pictureWidth: i32, pictureHeight: i32, bitsOfTile: i32): boolean {
  width = pictureWidth;
  tileBits = bitsOfTile;
  const size = 1 << tileBits;
  tilesAcross = (width + size - 1) >> tileBits;
  alphaModes = allocate(<u64>tilesAcross * <u64>((pictureHeight + size - 1) >> tileBits));
  return alphaModes ? true : false;
}

/**
 * Chooses how each tile of some rows is predicted.
 * @param rows the first of them, after the row above it
 * @param top its place in the picture, at the top of a tile
 */
export function chooseModes(rows: usize, top: i32, count: i32): void {
  if (top == 0) expectSmall();
  for (let y = 0; y < count; y += 1 << tileBits) {
    const height = min(1 << tileBits, count - y);
    const modes = alphaModes + <usize>(((top + y) >> tileBits) * tilesAcross);
    const band = rows + <usize>(y * width);
    for (let tile = 0; tile < tilesAcross; tile++) {
      const at = modes + tile;
      const near = tile ? load<u8>(at - 1) : top + y ? load<u8>(at - tilesAcross) : <u8>ABOVE;
      store<u8>(at, <u8>cheapestMode(band, top + y, tile, height, near));
      countTile(band, top + y, tile, height, load<u8>(at));
    }
    expectCounted();
  }
}

/** Estimates the bits that state the predictions of the tiles of the first rows. */
export function modeBits(rows: i32): f32 {
  const tiles = tilesAcross * ((rows + (1 << tileBits) - 1) >> tileBits);
  let bits: f32 = 0;
  for (let tile = 1; tile < tiles; tile++) {
    if (load<u8>(alphaModes + tile) != load<u8>(alphaModes + tile - 1)) bits += BITS_PER_CHANGE;
  }
  return bits;
}

function expectSmall(): void {
  for (let residual = 0; residual < 256; residual++) {
    const size = min(residual, 256 - residual);
    const bits = 1 + 2 * (32 - <i32>clz(size));
    store<u32>(costs + ((<usize>residual) << 2), bits << 4);
    store<u32>(counts + ((<usize>residual) << 2), 0);
  }
}

function expectCounted(): void {
  let total: f32 = 0;
  for (let residual: usize = 0; residual < 256; residual++) total += <f32>load<u32>(counts + (residual << 2));
  const all = log2(total);
  for (let residual: usize = 0; residual < 256; residual++) {
    const bits = all - log2(max(<f32>load<u32>(counts + (residual << 2)), <f32>0.5));
    store<u32>(costs + (residual << 2), <u32>(PARTS * max<f32>(bits, 0)));
  }
}

function cheapestMode(band: usize, top: i32, tile: i32, height: i32, near: i32): i32 {
  let best = near;
  let fewest = tileCost(band, top, tile, height, near, u32.MAX_VALUE);
  if (fewest == 0) return best;
  fewest = fewest > WORTH ? fewest - WORTH : 0;
  for (let mode = 0; mode < MODES; mode++) {
    if (mode == near) continue;
    const cost = tileCost(band, top, tile, height, mode, fewest);
    if (cost >= fewest) continue;
    fewest = cost;
    best = mode;
  }
  return best;
}

/** Returns the cost of the residuals of a tile; a part of it if that is at least `most`. */
function tileCost(band: usize, top: i32, tile: i32, height: i32, mode: i32, most: u32): u32 {
  const from = tile << tileBits;
  const end = min(width, from + (1 << tileBits));
  let cost: u32 = 0;
  for (let y = 0; y < height && cost < most; y++) {
    const row = band + <usize>(y * width);
    for (let x = from; x < end; x++) {
      const residual = residualAt(row, x, top + y, mode);
      cost += load<u32>(costs + ((<usize>residual) << 2));
    }
  }
  return cost;
}

function countTile(band: usize, top: i32, tile: i32, height: i32, mode: i32): void {
  const from = tile << tileBits;
  const end = min(width, from + (1 << tileBits));
  for (let y = 0; y < height; y++) {
    const row = band + <usize>(y * width);
    for (let x = from; x < end; x++) {
      const at = counts + ((<usize>residualAt(row, x, top + y, mode)) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
  }
}

/** Returns the residual of a pixel. The first row and column are predicted in their own way. */
@inline
function residualAt(row: usize, x: i32, y: i32, mode: i32): i32 {
  const at = row + <usize>x;
  let way = mode;
  if (y == 0) way = x == 0 ? NONE : LEFT;
  else if (x == 0) way = ABOVE;
  return (<i32>load<u8>(at) - predicted(at, way)) & 255;
}

@inline
function average(a: i32, b: i32): i32 {
  return (a + b) >> 1;
}

@inline
function clamped(value: i32): i32 {
  return min(max(value, 0), 255);
}

/**
 * Predicts a pixel. The row above ends where the row begins, so that the pixel after its last is the first of the row,
 * as in VP8L.
 */
function predicted(at: usize, mode: i32): i32 {
  if (mode == NONE) return 0;
  const left = <i32>load<u8>(at - 1);
  if (mode == LEFT) return left;
  const up = <i32>load<u8>(at - width);
  if (mode == ABOVE) return up;
  const corner = <i32>load<u8>(at - width - 1);
  const right = <i32>load<u8>(at - width + 1);
  switch (mode) {
    case 3:
      return right;
    case 4:
      return corner;
    case 5:
      return average(average(left, right), up);
    case 6:
      return average(left, corner);
    case 7:
      return average(left, up);
    case 8:
      return average(corner, up);
    case 9:
      return average(up, right);
    case 10:
      return average(average(left, corner), average(up, right));
    case 11:
      return abs<i32>(up - corner) < abs<i32>(left - corner) ? left : up;
    case 12:
      return clamped(left + up - corner);
    default: {
      const mean = average(left, up);
      return clamped(mean + (mean - corner) / 2);
    }
  }
}

/** Writes what is left of some rows. */
export function predictRows(rows: usize, top: i32, count: i32, to: usize): void {
  for (let y = 0; y < count; y++) {
    const row = rows + <usize>(y * width);
    const modes = alphaModes + <usize>(((top + y) >> tileBits) * tilesAcross);
    for (let x = 0; x < width; x++) {
      const mode = <i32>load<u8>(modes + (x >> tileBits));
      store<u8>(to++, <u8>residualAt(row, x, top + y, mode));
    }
  }
}
