/** The filters behind reconstruction, in rows (AV1 specification sections 7.14 to 7.18). README.md says who calls what. */
import { cdefOn, restorationType, usesRestoration } from "../headers/filter-params";
import { frameHeight, miRows, sbRows, upscaledWidth } from "../headers/frame";
import { grainAddress } from "../headers/grain";
import { planeCount, sbSize } from "../headers/sequence";
import { planeSubX, planeSubY } from "../planes";
import { cdefBytes, filterCdef, layOutCdef } from "./cdef/stripe";
import { DEBLOCK_BYTES, deblockRow, deblocks, layOutDeblocking } from "./deblock/planes";
import { endRow, extendFinished, firstRow, openFinished, resetFinished } from "./finished";
import { addGrain, grainBytes, layOutGrain } from "./grain/rows";
import { keepInfo, keptInfoBytes, layOutKeptInfo } from "./kept-info";
import { advanceLines, keepLines, layOutLines, lineAbove, linesBytes } from "./lines";
import { BOXES_BYTES, layOutBoxes } from "./restoration/boxes";
import { layOutSelfGuided, SELF_GUIDED_BYTES } from "./restoration/self-guided";
import { restoreStripe, setAbove, setBelow, setStripe } from "./restoration/stripe";
import { layOutWiener, WIENER_BYTES } from "./restoration/wiener";
import {
  enlarge,
  enlargedBytes,
  enlargedLine,
  enlargedRow,
  enlargedStride,
  isEnlarged,
  layOutEnlarged,
} from "./upscale/planes";
import { layOutWindow, WINDOW_BYTES } from "./window";
import { KEPT_ROWS, layOutWork, LINES, takeBand, workBytes, workRow, workStride } from "./work";

export { finishedAddress, finishedStride } from "./finished";

const STRIPE: i32 = 64;
/** Bytes that alignment may add to each allocated block, and the most blocks. */
const ALIGNMENT: u64 = 16;
const BLOCKS: u64 = 12;

/** The first row of luma of the next stripe. */
let stripeRow: i32 = 0;

/** Returns whether rows from before CDEF are needed. */
function keepsLines(): boolean {
  return cdefOn || usesRestoration;
}

/** Returns whether any filter is on. Without one, the band holds the finished rows. */
export function hasFilters(): boolean {
  return deblocks() || keepsLines() || isEnlarged() || grainAddress != 0;
}

/** Returns the most bytes that `layOutFilters` allocates, after the headers are read. */
export function filterBytes(): u64 {
  let bytes = workBytes() + keptInfoBytes() + enlargedBytes() + ALIGNMENT * BLOCKS;
  if (deblocks()) bytes += DEBLOCK_BYTES;
  if (keepsLines()) bytes += WINDOW_BYTES + linesBytes();
  if (cdefOn) bytes += cdefBytes();
  if (usesRestoration) bytes += WIENER_BYTES + BOXES_BYTES + SELF_GUIDED_BYTES;
  return grainAddress ? bytes + grainBytes() : bytes;
}

/** Allocates memory. @returns false when it is at its end */
export function layOutFilters(): boolean {
  resetFinished();
  stripeRow = 0;
  if (!layOutWork() || !layOutKeptInfo() || !layOutEnlarged()) return false;
  if (deblocks() && !layOutDeblocking()) return false;
  if (keepsLines() && (!layOutWindow() || !layOutLines())) return false;
  if (cdefOn && !layOutCdef()) return false;
  if (usesRestoration && (!layOutWiener() || !layOutBoxes() || !layOutSelfGuided())) return false;
  return grainAddress == 0 || layOutGrain();
}

/** Sets the rows around a stripe of a plane, enlarged if the frame is. @param end the row of the plane below the stripe */
function setAround(plane: i32, end: i32): void {
  const sub = planeSubY(plane);
  const below = min(LINES, ((frameHeight + sub) >> sub) - end);
  const near = workRow(plane, end);
  const stride = workStride(plane);
  const isTop = stripeRow == 0;
  if (!isEnlarged()) {
    setAbove(isTop ? 0 : lineAbove(plane, 0), isTop ? 0 : lineAbove(plane, 1));
    setBelow(near, near + stride, below);
    return;
  }
  if (!isTop) {
    enlarge(plane, lineAbove(plane, 0), enlargedLine(0), 1);
    enlarge(plane, lineAbove(plane, 1), enlargedLine(1), 1);
  }
  setAbove(isTop ? 0 : enlargedLine(0), isTop ? 0 : enlargedLine(1));
  for (let line = 0; line < below; line++) {
    enlarge(plane, near + <usize>line * stride, enlargedLine(2 + line), 1);
  }
  setBelow(enlargedLine(2), enlargedLine(3), below);
}

/** Filters a stripe behind deblocking, from `stripeRow` to `end`. */
function filterStripe(row: i32, end: i32): void {
  if (keepsLines() && end < miRows << 2) keepLines(end);
  if (cdefOn) filterCdef(row, stripeRow, end);
  extendFinished(min(end, frameHeight));
  for (let plane = 0; plane < planeCount; plane++) {
    const sub = planeSubY(plane);
    const first = stripeRow >> sub;
    const endOfPlane = (endRow + sub) >> sub;
    let rows = workRow(plane, first);
    let stride = workStride(plane);
    if (isEnlarged()) {
      const to = enlargedRow(plane, first - (firstRow >> sub));
      enlarge(plane, rows, to, endOfPlane - first);
      rows = to;
      stride = enlargedStride(plane);
    }
    if (!usesRestoration || restorationType(plane) == 0) continue;
    setStripe(rows, stride, endOfPlane - first);
    setAround(plane, endOfPlane);
    const subX = planeSubX(plane);
    restoreStripe(plane, (stripeRow + KEPT_ROWS) / STRIPE, (upscaledWidth + subX) >> subX, sub);
  }
  if (keepsLines()) advanceLines();
  stripeRow = end;
}

/** Takes a superblock row. @returns how many rows of luma it finished */
export function filterRow(row: i32): i32 {
  takeBand(row);
  if (deblocks()) deblockRow(row);
  openFinished();
  const ready = row + 1 == sbRows ? miRows << 2 : (row + 1) * sbSize - KEPT_ROWS;
  while (stripeRow < ready) {
    const next = (stripeRow + KEPT_ROWS) / STRIPE + 1;
    filterStripe(row, min(next * STRIPE - KEPT_ROWS, ready));
  }
  keepInfo();
  if (grainAddress) addGrain(firstRow, endRow);
  return endRow - firstRow;
}
