/** The rows of samples that one row of macroblocks is made of. */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { addChroma, chromaRow, lumaRow, SUM_BYTES } from "./colour";

export let lumaRows: usize = 0;
export let cbRows: usize = 0;
export let crRows: usize = 0;
/** Rows held, up to 16. */
export let rowsHeld = 0;
/** Bytes from row to row: whole macroblocks. */
export let lumaStride: usize = 0;
/** 0 for a picture without colour. */
export let chromaStride: usize = 0;

let width = 0;
let channels: usize = 0;
let sums: usize = 0;
/** Of each block of 8 x 8 luma samples, whether any pixel is not fully transparent: [row of blocks][column]. */
let visible: usize = 0;
let visibleStride: usize = 0;
let keepsAlpha = false;

/** @returns false when the memory is at its end */
export function layOutPlanes(pictureWidth: i32, channelCount: i32, macroblocksWide: i32): bool {
  width = pictureWidth;
  channels = channelCount;
  keepsAlpha = channels == 2 || channels == 4;
  lumaStride = (<usize>macroblocksWide) << 4;
  // One more vector may be read past the end.
  lumaRows = allocate(<u64>lumaStride * 16 + 16);
  if (channels >= 3) {
    chromaStride = lumaStride >> 1;
    cbRows = allocate(<u64>chromaStride * 8 + 16);
    crRows = allocate(<u64>chromaStride * 8 + 16);
    sums = allocate(<u64>chromaStride * SUM_BYTES);
    if (!cbRows || !crRows || !sums) return false;
  }
  visibleStride = lumaStride >> 3;
  if (keepsAlpha) {
    visible = allocate(<u64>visibleStride * 2);
    if (!visible) return false;
  }
  return lumaRows ? true : false;
}

/** Forgets the rows held. */
export function clearRows(): void {
  rowsHeld = 0;
  if (keepsAlpha) memory.fill(visible, 0, visibleStride * 2);
}

/** Repeats the last sample of a row to whole macroblocks. */
function extend(row: usize, samples: i32, stride: usize): void {
  memory.fill(row + samples, load<u8>(row + samples - 1), stride - samples);
}

export function takeRow(row: usize): void {
  const y = <usize>rowsHeld;
  const luma = lumaRows + y * lumaStride;
  lumaRow(row, width, channels, luma);
  extend(luma, width, lumaStride);
  if (keepsAlpha) {
    const marks = visible + (y >> 3) * visibleStride;
    for (let x = 0; x < width; x++) {
      if (load<u8>(row + <usize>x * channels + channels - 1)) store<u8>(marks + (x >> 3), 1);
    }
  }
  if (chromaStride) {
    addChroma(row, width, channels, sums);
    if (y & 1) finishChroma(y >> 1);
  }
  rowsHeld++;
}

function finishChroma(y: usize): void {
  const cb = cbRows + y * chromaStride;
  const cr = crRows + y * chromaStride;
  chromaRow(sums, width, cb, cr);
  extend(cb, (width + 1) >> 1, chromaStride);
  extend(cr, (width + 1) >> 1, chromaStride);
}

/** Repeats the last row held to a whole macroblock. */
export function padRows(): void {
  if (chromaStride && rowsHeld & 1) finishChroma((<usize>rowsHeld) >> 1);
  const last = <usize>rowsHeld - 1;
  for (let y = last + 1; y < 16; y++) {
    memory.copy(lumaRows + y * lumaStride, lumaRows + last * lumaStride, lumaStride);
  }
  for (let y = (last >> 1) + 1; y < 8 && chromaStride; y++) {
    memory.copy(cbRows + y * chromaStride, cbRows + (last >> 1) * chromaStride, chromaStride);
    memory.copy(crRows + y * chromaStride, crRows + (last >> 1) * chromaStride, chromaStride);
  }
  rowsHeld = 16;
}

/** Fills `size` x `size` samples. */
function fillSquare(at: usize, stride: usize, size: i32, value: u8): void {
  for (let y = 0; y < size; y++) memory.fill(at + <usize>y * stride, value, size);
}

/** Paints over what nobody can see: 8 x 8 pixels that are all transparent become the colour to their left. */
export function flattenHidden(): void {
  if (!keepsAlpha) return;
  for (let row: usize = 0; row < 2; row++) {
    for (let column: usize = 0; column < visibleStride; column++) {
      if (load<u8>(visible + row * visibleStride + column)) continue;
      const luma = lumaRows + 8 * (row * lumaStride + column);
      fillSquare(luma, lumaStride, 8, column ? load<u8>(luma - 1) : 128);
      if (!chromaStride) continue;
      const offset: usize = 4 * (row * chromaStride + column);
      const from = column ? offset - 1 : 0;
      fillSquare(cbRows + offset, chromaStride, 4, column ? load<u8>(cbRows + from) : 128);
      fillSquare(crRows + offset, chromaStride, 4, column ? load<u8>(crRows + from) : 128);
    }
  }
}
