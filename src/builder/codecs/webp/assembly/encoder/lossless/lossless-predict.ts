/**
 * Predicts pixels in colour from their neighbours, each tile in one of the 14 ways of VP8L's predictor transform
 * (RFC 9649, 4.1), and keeps what is left.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { log2 } from "../symbols/log2";

const MODES: i32 = 14;
const LEFT: i32 = 1;
const ABOVE: i32 = 2;
const BLACK: u32 = 0xff000000;
const CHANNELS: i32 = 4;
/** Another way than that of a neighbouring tile must save as much, in parts of a bit. */
const WORTH: u32 = 160;
const PARTS: f32 = 16;

let width = 0;
let tileBits = 0;
let tilesAcross = 0;
/** The way of each tile (u8). */
export let colourModes: usize = 0;
/** By channel, the counts of each residual so far (u32), and its supposed cost, in parts of a bit (u32). */
let counts: usize = 0;
let costs: usize = 0;
const TABLES_BYTES = 4 * 256 * 4;

/** @returns false when the memory is at its end */
export function layOutColourModes(pictureWidth: i32, pictureHeight: i32, bitsOfTile: i32): boolean {
  width = pictureWidth;
  tileBits = bitsOfTile;
  const size = 1 << tileBits;
  tilesAcross = (width + size - 1) >> tileBits;
  colourModes = allocate(<u64>tilesAcross * <u64>((pictureHeight + size - 1) >> tileBits));
  counts = allocate(TABLES_BYTES);
  costs = allocate(TABLES_BYTES);
  return colourModes && counts && costs ? true : false;
}

/**
 * Chooses how each tile of some rows is predicted.
 * @param rows the first of them (u32), after the row above it
 * @param top its place in the picture, at the top of a tile
 */
export function chooseColourModes(rows: usize, top: i32, count: i32): void {
  for (let y = 0; y < count; y += 1 << tileBits) {
    const height = min(1 << tileBits, count - y);
    const modes = colourModes + <usize>(((top + y) >> tileBits) * tilesAcross);
    const band = rows + 4 * <usize>(y * width);
    for (let tile = 0; tile < tilesAcross; tile++) {
      const at = modes + tile;
      const near = tile ? load<u8>(at - 1) : top + y ? load<u8>(at - tilesAcross) : <u8>ABOVE;
      store<u8>(at, <u8>cheapestMode(band, top + y, tile, height, near));
      countTile(band, top + y, tile, height, load<u8>(at));
    }
    expectCounted();
  }
}

/** Forgets what residuals were left, before the first rows. */
export function forgetResiduals(): void {
  for (let channel = 0; channel < CHANNELS; channel++) {
    for (let residual = 0; residual < 256; residual++) {
      const at = (<usize>(channel * 256 + residual)) << 2;
      const size = min(residual, 256 - residual);
      store<u32>(costs + at, (1 + 2 * (32 - <i32>clz(size))) << 4);
      store<u32>(counts + at, 0);
    }
  }
}

function expectCounted(): void {
  for (let channel: usize = 0; channel < <usize>CHANNELS; channel++) {
    const from = counts + (channel << 10);
    let total: f32 = 0;
    for (let at: usize = 0; at < 1024; at += 4) total += <f32>load<u32>(from + at);
    const all = log2(total);
    for (let at: usize = 0; at < 1024; at += 4) {
      const bits = all - log2(max(<f32>load<u32>(from + at), <f32>0.5));
      store<u32>(costs + (channel << 10) + at, <u32>(PARTS * max<f32>(bits, 0)));
    }
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
    const row = band + 4 * <usize>(y * width);
    for (let x = from; x < end; x++) {
      const residual = residualAt(row, x, top + y, mode);
      for (let channel: usize = 0; channel < <usize>CHANNELS; channel++)
        cost += load<u32>(entry(costs, residual, channel));
    }
  }
  return cost;
}

function countTile(band: usize, top: i32, tile: i32, height: i32, mode: i32): void {
  const from = tile << tileBits;
  const end = min(width, from + (1 << tileBits));
  for (let y = 0; y < height; y++) {
    const row = band + 4 * <usize>(y * width);
    for (let x = from; x < end; x++) {
      const residual = residualAt(row, x, top + y, mode);
      for (let channel: usize = 0; channel < <usize>CHANNELS; channel++) {
        const at = entry(counts, residual, channel);
        store<u32>(at, load<u32>(at) + 1);
      }
    }
  }
}

@inline
function entry(table: usize, residual: u32, channel: usize): usize {
  return table + (channel << 10) + ((<usize>((residual >> ((<u32>channel) << 3)) & 255)) << 2);
}

/** Returns the differences of all four channels, each modulo 256. */
@inline
export function difference(a: u32, b: u32): u32 {
  const high = 0x00ff00ff + (a & 0xff00ff00) - (b & 0xff00ff00);
  const low = 0xff00ff00 + (a & 0x00ff00ff) - (b & 0x00ff00ff);
  return (high & 0xff00ff00) | (low & 0x00ff00ff);
}

/** Returns the residual of a pixel. The first row and column are predicted in their own way. */
@inline
function residualAt(row: usize, x: i32, y: i32, mode: i32): u32 {
  const at = row + ((<usize>x) << 2);
  const pixel = load<u32>(at);
  let way = mode;
  if (y == 0) {
    if (x == 0) return difference(pixel, BLACK);
    way = LEFT;
  } else if (x == 0) way = ABOVE;
  return difference(pixel, predicted(at, way));
}

/** Returns half the sum in each channel. */
@inline
function average(a: u32, b: u32): u32 {
  return (((a ^ b) & 0xfefefefe) >> 1) + (a & b);
}

@inline
function channelOf(pixel: u32, shift: u32): i32 {
  return <i32>((pixel >> shift) & 255);
}

@inline
function clamped(value: i32): u32 {
  return <u32>min(max(value, 0), 255);
}

/** Returns the neighbour that is nearer, over all channels, to `left + up - corner`. */
function nearer(left: u32, up: u32, corner: u32): u32 {
  let fromLeft = 0;
  let fromUp = 0;
  for (let shift: u32 = 0; shift < 32; shift += 8) {
    const at = channelOf(corner, shift);
    fromLeft += abs<i32>(channelOf(up, shift) - at);
    fromUp += abs<i32>(channelOf(left, shift) - at);
  }
  return fromLeft < fromUp ? left : up;
}

function slope(left: u32, up: u32, corner: u32): u32 {
  let pixel: u32 = 0;
  for (let shift: u32 = 0; shift < 32; shift += 8) {
    pixel |= clamped(channelOf(left, shift) + channelOf(up, shift) - channelOf(corner, shift)) << shift;
  }
  return pixel;
}

function halfSlope(mean: u32, corner: u32): u32 {
  let pixel: u32 = 0;
  for (let shift: u32 = 0; shift < 32; shift += 8) {
    const at = channelOf(mean, shift);
    pixel |= clamped(at + (at - channelOf(corner, shift)) / 2) << shift;
  }
  return pixel;
}

/**
 * Predicts a pixel. The row above ends where the row begins, so that the pixel after its last is the first of the row,
 * as in VP8L.
 */
function predicted(at: usize, mode: i32): u32 {
  if (mode == 0) return BLACK;
  const left = load<u32>(at - 4);
  if (mode == LEFT) return left;
  const above = at - ((<usize>width) << 2);
  const up = load<u32>(above);
  if (mode == ABOVE) return up;
  const corner = load<u32>(above - 4);
  const right = load<u32>(above + 4);
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
      return nearer(left, up, corner);
    case 12:
      return slope(left, up, corner);
    default:
      return halfSlope(average(left, up), corner);
  }
}

/** Writes what is left of some rows (u32). */
export function predictColours(rows: usize, top: i32, count: i32, to: usize): void {
  for (let y = 0; y < count; y++) {
    const row = rows + 4 * <usize>(y * width);
    const modes = colourModes + <usize>(((top + y) >> tileBits) * tilesAcross);
    for (let x = 0; x < width; x++) {
      store<u32>(to, residualAt(row, x, top + y, <i32>load<u8>(modes + (x >> tileBits))));
      to += 4;
    }
  }
}
