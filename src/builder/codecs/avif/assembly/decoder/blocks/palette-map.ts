/** Reads which colour of a palette each sample has (AV1 specification sections 5.11.49 and 5.11.50), and paints it. */
import { miCols, miRows } from "../headers/frame";
import { subX, subY } from "../headers/sequence";
import { cdfs, readSymbol2, readSymbol4, readUniform } from "../symbols/decoder";
import { readSymbol8 } from "../symbols/wide";
import {
  PALETTE_UV_COLOR_2,
  PALETTE_UV_COLOR_3,
  PALETTE_UV_COLOR_5,
  PALETTE_Y_COLOR_2,
  PALETTE_Y_COLOR_3,
  PALETTE_Y_COLOR_5,
} from "../tables/cdf-layout";
import { paletteOf, paletteSizeUV, paletteSizeY } from "./palette";
import { blockColumn, blockRow, high, wide } from "./position";

/** Bytes from one row of a map to the next. */
const MAP_STRIDE: usize = 64;
/** Maps (u8) of luma and chroma. They are not read again after the block. */
const maps = memory.data(2 * 64 * 64, 16);

@inline
function mapOf(isChroma: boolean): usize {
  return maps + (isChroma ? 64 * MAP_STRIDE : 0);
}

/** Reads the symbol of a sample: one of `count`, in a context. */
@inline
function readRank(isChroma: boolean, count: i32, context: i32): i32 {
  if (count == 2)
    return readSymbol2(cdfs + (isChroma ? PALETTE_UV_COLOR_2 : PALETTE_Y_COLOR_2) + (context << 2));
  if (count <= 4) {
    const first = (isChroma ? PALETTE_UV_COLOR_3 : PALETTE_Y_COLOR_3) + <usize>(count - 3) * 40;
    return readSymbol4(cdfs + first + (context << 3), count);
  }
  const first = (isChroma ? PALETTE_UV_COLOR_5 : PALETTE_Y_COLOR_5) + <usize>(count - 5) * 80;
  return readSymbol8(cdfs + first + (context << 4), count);
}

/** Reads the colour of the sample at `at`. @param neighbours bit 0: there is one to the left, bit 1: there is one above */
function readColour(at: usize, neighbours: i32, isChroma: boolean, count: i32): void {
  if (neighbours != 3) {
    const near = <i32>load<u8>(neighbours == 1 ? at - 1 : at - MAP_STRIDE);
    const rank = readRank(isChroma, count, 0);
    store<u8>(at, rank == 0 ? near : rank - i32(rank <= near));
    return;
  }
  const left = <i32>load<u8>(at - 1);
  const top = <i32>load<u8>(at - MAP_STRIDE);
  const corner = <i32>load<u8>(at - MAP_STRIDE - 1);
  // The colours of the first ranks. All others follow in their own order.
  let first = left;
  let second = -1;
  let third = -1;
  let context = 4;
  if (left == top) {
    if (corner != left) {
      second = corner;
      context = 3;
    }
  } else if (left == corner || top == corner) {
    first = corner;
    second = left == corner ? top : left;
    context = 2;
  } else {
    first = min(left, top);
    second = max(left, top);
    third = corner;
    context = 1;
  }
  const rank = readRank(isChroma, count, context);
  let colour = first;
  if (rank == 1 && second >= 0) colour = second;
  else if (rank == 2 && third >= 0) colour = third;
  else if (rank > 0) colour = laterColour(rank, first, second, third);
  store<u8>(at, colour);
}

/** Returns the colour of a rank after those that neighbours have; -1 is no neighbour. */
function laterColour(rank: i32, first: i32, second: i32, third: i32): i32 {
  let colour = rank - 1 - i32(second >= 0) - i32(third >= 0);
  let low = first;
  let middle = second >= 0 ? second : 255;
  let high = third >= 0 ? third : 255;
  if (low > middle) {
    const other = low;
    low = middle;
    middle = other;
  }
  if (middle > high) {
    const other = middle;
    middle = high;
    high = other;
  }
  if (low > middle) {
    const other = low;
    low = middle;
    middle = other;
  }
  colour += i32(colour >= low);
  colour += i32(colour >= middle);
  return colour + i32(colour >= high);
}

/** Reads a map along its diagonals. Samples outside the frame repeat the last ones. */
function readMap(
  isChroma: boolean,
  count: i32,
  columns: i32,
  rows: i32,
  codedColumns: i32,
  codedRows: i32,
): void {
  const map = mapOf(isChroma);
  store<u8>(map, readUniform(count));
  for (let sum = 1; sum < codedRows + codedColumns - 1; sum++) {
    for (let x = min(sum, codedColumns - 1); x >= max(0, sum - codedRows + 1); x--) {
      const y = sum - x;
      readColour(map + <usize>y * MAP_STRIDE + x, i32(x > 0) | (i32(y > 0) << 1), isChroma, count);
    }
  }
  for (let y = 0; y < codedRows && codedColumns < columns; y++) {
    const row = map + <usize>y * MAP_STRIDE;
    memory.fill(row + codedColumns, load<u8>(row + codedColumns - 1), columns - codedColumns);
  }
  const last = map + <usize>(codedRows - 1) * MAP_STRIDE;
  for (let y = codedRows; y < rows; y++) memory.copy(map + <usize>y * MAP_STRIDE, last, columns);
}

/** Implements palette_tokens(). */
export function readMaps(): void {
  if ((paletteSizeY | paletteSizeUV) == 0) return;
  let columns = wide << 2;
  let rows = high << 2;
  let codedColumns = min(columns, (miCols - blockColumn) << 2);
  let codedRows = min(rows, (miRows - blockRow) << 2);
  if (paletteSizeY) readMap(false, paletteSizeY, columns, rows, codedColumns, codedRows);
  if (!paletteSizeUV) return;
  columns >>= subX;
  codedColumns >>= subX;
  rows >>= subY;
  codedRows >>= subY;
  if (columns < 4) {
    columns += 2;
    codedColumns += 2;
  }
  if (rows < 4) {
    rows += 2;
    codedRows += 2;
  }
  readMap(true, paletteSizeUV, columns, rows, codedColumns, codedRows);
}

/**
 * Paints a part of the block with its palette.
 * @param to the first sample @param x the part's place in the block, in samples of the plane
 */
export function paintPalette(
  plane: i32,
  to: usize,
  stride: usize,
  x: i32,
  y: i32,
  columns: i32,
  rows: i32,
): void {
  const palette = v128.load(paletteOf(plane));
  let from = mapOf(plane > 0) + <usize>y * MAP_STRIDE + x;
  // Bytes 2 i and 2 i + 1 of the palette are colour i.
  const high = i16x8.splat(0x0100);
  for (let row = 0; row < rows; row++, from += MAP_STRIDE, to += stride) {
    for (let i = 0; i < columns; i += 4) {
      const indices = i16x8.extend_low_i8x16_u(v128.load32_zero(from + i));
      const twice = i16x8.shl(indices, 1);
      const places = v128.or(v128.or(twice, i16x8.shl(twice, 8)), high);
      v128.store64_lane(to + (i << 1), i8x16.swizzle(palette, places), 0);
    }
  }
}
