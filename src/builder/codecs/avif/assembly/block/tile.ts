/**
 * The tiles of the frame. Nothing but the picture crosses their edges: each has a range coder, distributions and
 * contexts of its own. Tiles beside each other are coded a row of superblocks at a time, so the state of one is put
 * aside while the others have their turn.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { CODER_BYTES, finishCoder, restoreCoder, saveCoder, startCoder } from "../coder/range-coder";
import { cdfs, resetCdfs } from "../coder/cdfs";
import { CDF_BYTES } from "../tables/cdf-layout";
import { clearAbove, clearLeft } from "./context";
import { codedHeight, codedWidth, SUPERBLOCK } from "./planes";
import { index, setQuantiser } from "./quantiser";

/** The bytes that are put aside of a tile: its distributions, its coder and its quantiser. */
const STATE_BYTES: usize = CDF_BYTES + CODER_BYTES + 4;

let frameIndex = 0;
/** Size of all tiles but the last of a row or column, in samples of luma, and how many there are beside each other. */
let width = 0;
let height = 0;
let count = 1;
let states: usize = 0;

/** Edges of the current tile, in samples of luma: it begins at `tileLeft` and ends before `tileRight`. */
export let tileLeft = 0;
export let tileTop = 0;
export let tileRight = 0;
export let tileBottom = 0;

/** Divides the frame into tiles of whole superblocks. @returns false when the memory is at its end */
export function layOutTiles(wide: i32, high: i32, baseIndex: i32): boolean {
  width = wide;
  height = high;
  frameIndex = baseIndex;
  count = (codedWidth + wide - 1) / wide;
  if (count == 1) return true;
  states = allocate(<u64>count * STATE_BYTES);
  return states != 0;
}

@inline
function stateOf(tile: i32): usize {
  return states + <usize>tile * STATE_BYTES;
}

/** Returns the tile of the superblock at (x, y), counted along rows. */
export function tileAt(x: i32, y: i32): i32 {
  return (y / height) * count + x / width;
}

/** Goes on with the tile whose first superblock of a row is at (x, y). */
export function enterTile(x: i32, y: i32): void {
  tileLeft = x;
  tileRight = min(x + width, codedWidth);
  tileTop = (y / height) * height;
  tileBottom = min(tileTop + height, codedHeight);
  clearLeft();
  if (y > tileTop) {
    if (count > 1) restore(stateOf(x / width));
    return;
  }
  if (x == 0) clearAbove();
  resetCdfs(frameIndex);
  startCoder();
  setQuantiser(frameIndex);
}

/** Ends the tile, or its part of the row of superblocks at y. @returns whether what comes next is of another tile */
export function leaveTile(y: i32): boolean {
  const isDone = y + SUPERBLOCK >= tileBottom;
  if (isDone) finishCoder();
  else if (count > 1) save(stateOf(tileLeft / width));
  return isDone || count > 1;
}

function save(at: usize): void {
  memory.copy(at, cdfs, CDF_BYTES);
  saveCoder(at + CDF_BYTES);
  store<i32>(at + CDF_BYTES + CODER_BYTES, index);
}

function restore(at: usize): void {
  memory.copy(cdfs, at, CDF_BYTES);
  restoreCoder(at + CDF_BYTES);
  setQuantiser(load<i32>(at + CDF_BYTES + CODER_BYTES));
}
