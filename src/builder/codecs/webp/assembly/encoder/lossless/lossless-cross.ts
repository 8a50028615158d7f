/**
 * Predicts red and blue from green, and blue from red, in each tile by factors of its own: VP8L's colour transform
 * (RFC 9649, 4.2).
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { difference } from "./lossless-predict";
import { log2 } from "../symbols/log2";

/** A factor is a signed byte, in parts of a 32nd. */
const FACTOR_SHIFT: i32 = 5;
const FACTOR_MAX: i32 = 127;
/** The first and the last step in which a factor is sought. */
const FIRST_STEP: i32 = 16;
const LAST_STEP: i32 = 2;
/** Other factors than those of the tile before must save as much, in parts of a bit. */
const WORTH: u32 = 96;
const PARTS: f32 = 16;

let width = 0;
let tileBits = 0;
let tilesAcross = 0;
/** The factors of each tile (u32) as its pixel in the file: those of green to red, of green to blue, of red to blue. */
export let crossFactors: usize = 0;
/** The counts of each residual left so far (u32), of red, then of blue, and its supposed cost (u32). */
let counts: usize = 0;
let costs: usize = 0;
const TABLE_BYTES: usize = 256 * 4;

/** @returns false when the memory is at its end */
export function layOutCross(pictureWidth: i32, pictureHeight: i32, bitsOfTile: i32): boolean {
  width = pictureWidth;
  tileBits = bitsOfTile;
  const size = 1 << tileBits;
  tilesAcross = (width + size - 1) >> tileBits;
  crossFactors = allocate(4 * <u64>tilesAcross * <u64>((pictureHeight + size - 1) >> tileBits));
  counts = allocate(2 * TABLE_BYTES);
  costs = allocate(2 * TABLE_BYTES);
  return crossFactors && counts && costs ? true : false;
}

/** Forgets what residuals were left, before the first rows. */
export function forgetCross(): void {
  memory.fill(counts, 0, 2 * TABLE_BYTES);
  for (let residual = 0; residual < 512; residual++) {
    const size = min(residual & 255, 256 - (residual & 255));
    store<u32>(costs + ((<usize>residual) << 2), (1 + 2 * (32 - <i32>clz(size))) << 4);
  }
}

/** Chooses the factors of each tile of some rows, at the top of a tile, and takes from them what they predict (u32). */
export function transformCross(rows: usize, top: i32, count: i32): void {
  for (let y = 0; y < count; y += 1 << tileBits) {
    const tiles = crossFactors + 4 * <usize>(((top + y) >> tileBits) * tilesAcross);
    let factors: u32 = 0;
    for (let tile = 0; tile < tilesAcross; tile++) {
      takeTile(rows + 4 * <usize>(y * width), tile << tileBits, min(1 << tileBits, count - y));
      factors = chooseFactors(factors);
      store<u32>(tiles + ((<usize>tile) << 2), factors);
      leaveResiduals(factors);
    }
    expectCounted();
  }
}

/** The tile that is looked at: its first pixel, and its size. */
let tileAt: usize = 0;
let tileWidth = 0;
let tileHeight = 0;

function takeTile(band: usize, x: i32, height: i32): void {
  tileAt = band + ((<usize>x) << 2);
  tileWidth = min(1 << tileBits, width - x);
  tileHeight = height;
}

@inline
function delta(factor: i32, sample: u32): i32 {
  return (factor * <i32>(<i8>sample)) >> FACTOR_SHIFT;
}

/** Returns the cost of the residuals of red in the tile; a part of it if that is at least `most`. */
function redCost(factor: i32, most: u32): u32 {
  let cost: u32 = 0;
  for (let y = 0; y < tileHeight && cost < most; y++) {
    const row = tileAt + 4 * <usize>(y * width);
    for (let x = 0; x < tileWidth; x++) {
      const pixel = load<u32>(row + ((<usize>x) << 2));
      const left = ((pixel >> 16) - delta(factor, pixel >> 8)) & 255;
      cost += load<u32>(costs + ((<usize>left) << 2));
    }
  }
  return cost;
}

/** Returns the same of blue. */
function blueCost(fromGreen: i32, fromRed: i32, most: u32): u32 {
  const table = costs + TABLE_BYTES;
  let cost: u32 = 0;
  for (let y = 0; y < tileHeight && cost < most; y++) {
    const row = tileAt + 4 * <usize>(y * width);
    for (let x = 0; x < tileWidth; x++) {
      const pixel = load<u32>(row + ((<usize>x) << 2));
      const left = (pixel - delta(fromGreen, pixel >> 8) - delta(fromRed, pixel >> 16)) & 255;
      cost += load<u32>(table + ((<usize>left) << 2));
    }
  }
  return cost;
}

@inline
function packed(greenToRed: i32, greenToBlue: i32, redToBlue: i32): u32 {
  return (((<u32>redToBlue) & 255) << 16) | (((<u32>greenToBlue) & 255) << 8) | ((<u32>greenToRed) & 255);
}

function chooseFactors(near: u32): u32 {
  const red = chooseForRed(<i32>(<i8>near));
  return red | chooseForBlue(<i32>(<i8>(near >> 8)), <i32>(<i8>(near >> 16)));
}

/** Begins with the factor of the tile before or with none, and goes on in smaller and smaller steps. */
function chooseForRed(near: i32): u32 {
  let best = near;
  let fewest = redCost(near, u32.MAX_VALUE);
  const usual = fewest;
  if (near != 0) {
    const without = redCost(0, fewest);
    if (without < fewest) {
      fewest = without;
      best = 0;
    }
  }
  for (let step = FIRST_STEP; step >= LAST_STEP; step >>= 1) {
    const centre = best;
    for (let side = -1; side <= 1; side += 2) {
      const factor = centre + side * step;
      if (abs(factor) > FACTOR_MAX) continue;
      const cost = redCost(factor, fewest);
      if (cost >= fewest) continue;
      fewest = cost;
      best = factor;
    }
  }
  return packed(fewest + WORTH < usual ? best : near, 0, 0);
}

function chooseForBlue(nearGreen: i32, nearRed: i32): u32 {
  let green = nearGreen;
  let red = nearRed;
  let fewest = blueCost(green, red, u32.MAX_VALUE);
  const usual = fewest;
  if (nearGreen != 0 || nearRed != 0) {
    const without = blueCost(0, 0, fewest);
    if (without < fewest) {
      fewest = without;
      green = 0;
      red = 0;
    }
  }
  for (let step = FIRST_STEP; step >= LAST_STEP; step >>= 1) {
    const centreGreen = green;
    const centreRed = red;
    for (let side = 0; side < 4; side++) {
      const by = side & 1 ? step : -step;
      const ofGreen = side < 2 ? centreGreen + by : centreGreen;
      const ofRed = side < 2 ? centreRed : centreRed + by;
      if (max(abs(ofGreen), abs(ofRed)) > FACTOR_MAX) continue;
      const cost = blueCost(ofGreen, ofRed, fewest);
      if (cost >= fewest) continue;
      fewest = cost;
      green = ofGreen;
      red = ofRed;
    }
  }
  return fewest + WORTH < usual ? packed(0, green, red) : packed(0, nearGreen, nearRed);
}

function leaveResiduals(factors: u32): void {
  const greenToRed = <i32>(<i8>factors);
  const greenToBlue = <i32>(<i8>(factors >> 8));
  const redToBlue = <i32>(<i8>(factors >> 16));
  for (let y = 0; y < tileHeight; y++) {
    let at = tileAt + 4 * <usize>(y * width);
    for (let x = 0; x < tileWidth; x++) {
      const pixel = load<u32>(at);
      const red = (<u32>delta(greenToRed, pixel >> 8)) & 255;
      const blue = (<u32>(delta(greenToBlue, pixel >> 8) + delta(redToBlue, pixel >> 16))) & 255;
      const left = difference(pixel, (red << 16) | blue);
      store<u32>(at, left);
      count(counts, (left >> 16) & 255);
      count(counts + TABLE_BYTES, left & 255);
      at += 4;
    }
  }
}

@inline
function count(table: usize, residual: u32): void {
  const at = table + ((<usize>residual) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

function expectCounted(): void {
  for (let table: usize = 0; table < 2 * TABLE_BYTES; table += TABLE_BYTES) {
    let total: f32 = 0;
    for (let at: usize = 0; at < TABLE_BYTES; at += 4) total += <f32>load<u32>(counts + table + at);
    const all = log2(total);
    for (let at: usize = 0; at < TABLE_BYTES; at += 4) {
      const bits = all - log2(max(<f32>load<u32>(counts + table + at), <f32>0.5));
      store<u32>(costs + table + at, <u32>(PARTS * max<f32>(bits, 0)));
    }
  }
}
