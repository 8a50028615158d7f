/** Decodes a row of superblocks, through all tiles beside each other. */
import { FAULT_CORRUPT } from "../../../decoder-status";
import { sbSize } from "../headers/sequence";
import { rowStart, tileColumns, tileRows } from "../headers/tiles";
import { clearDecoded } from "../residual/decoded";
import { isExhausted } from "../symbols/decoder";
import { decodePartition } from "./partition";
import { readRestoration } from "./restoration";
import { startDeltas } from "./segment";
import { enterTile, leaveTile, tileLeft, tileRight } from "./tile";

/** Returns the row of tiles that a row of superblocks is in. */
function tileRowOf(row: i32): i32 {
  let tileRow = 0;
  while (tileRow + 1 < tileRows && rowStart(tileRow + 1) <= row) tileRow++;
  return tileRow;
}

/** Returns whether a row of superblocks is the first of its tiles. */
export function startsTiles(row: i32): boolean {
  return rowStart(tileRowOf(row)) == row;
}

/** Decodes a row. @returns 0 or a fault */
export function decodeSuperblockRow(row: i32): i32 {
  const log2 = sbSize == 128 ? 5 : 4;
  const tileRow = tileRowOf(row);
  const isFirst = rowStart(tileRow) == row;
  for (let column = 0; column < tileColumns; column++) {
    enterTile(tileRow, column, isFirst);
    for (let x = tileLeft; x < tileRight; x += 1 << log2) {
      startDeltas(x);
      clearDecoded(x);
      readRestoration(row << log2, x);
      if (!decodePartition(row << log2, x, log2)) return FAULT_CORRUPT;
    }
    leaveTile();
    if (isExhausted()) return FAULT_CORRUPT;
  }
  return 0;
}
