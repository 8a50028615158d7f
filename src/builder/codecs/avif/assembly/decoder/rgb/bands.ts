/**
 * Rows of the whole picture in planes, as the decoders of its cells hand them out: luma, Cb, Cr and alpha. Chroma is enlarged
 * over the borders of cells.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";

/** Bytes before and after a row that vectors may read. */
const MARGIN: usize = 32;

export let pictureWidth: i32 = 0;
export let shiftX: i32 = 0;
export let shiftY: i32 = 0;
export let hasChroma = false;
export let hasAlpha = false;
let lumaStride: usize = 0;
let chromaStride: usize = 0;
let luma: usize = 0;
let cb: usize = 0;
let cr: usize = 0;
let alpha: usize = 0;

/** Returns the rows of chroma for rows of luma, and one on each side. */
@inline
function chromaRows(rows: i32): i32 {
  return (rows >> shiftY) + 2;
}

/**
 * Allocates bands.
 * @param rows rows of luma that are held at once
 * @returns false when the memory is at its end
 */
export function layOutBands(
  width: i32,
  rows: i32,
  planes: i32,
  chromaX: i32,
  chromaY: i32,
  withAlpha: i32,
): boolean {
  pictureWidth = width;
  shiftX = chromaX;
  shiftY = chromaY;
  hasChroma = planes > 1;
  hasAlpha = withAlpha != 0;
  lumaStride = (((<usize>width) << 1) + 2 * MARGIN + 15) & ~15;
  chromaStride = (((<usize>((width + chromaX) >> chromaX)) << 1) + 2 * MARGIN + 15) & ~15;
  luma = allocate(<u64>rows * lumaStride);
  if (!luma) return false;
  luma += MARGIN;
  if (hasChroma) {
    const bytes = <u64>chromaRows(rows) * chromaStride;
    cb = allocate(bytes);
    cr = allocate(bytes);
    if (!cb || !cr) return false;
    cb += MARGIN;
    cr += MARGIN;
  }
  if (hasAlpha) {
    alpha = allocate(<u64>rows * lumaStride);
    if (!alpha) return false;
    alpha += MARGIN;
  }
  return true;
}

@inline
export function bandOf(plane: i32): usize {
  return plane == 0 ? luma : plane == 1 ? cb : plane == 2 ? cr : alpha;
}

@inline
export function strideOf(plane: i32): usize {
  return plane == 1 || plane == 2 ? chromaStride : lumaStride;
}
