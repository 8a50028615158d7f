/**
 * Rows of pixels become tokens, in groups of 16 rows: two rows of luma blocks, or one of halved chroma. Tokens collect
 * until the picture is complete or their room is full.
 */
import {
  blocksPerGroup,
  componentAt,
  encodesFull,
  encodesHalved,
  isColour,
  rowBytes,
  staging,
  tokens,
  tokensEnd,
} from "./job";
import { encodeRow, learnRates } from "./component";
import { halvedCbRows, halvedCrRows, repairedLumaRows } from "./halved";
import {
  GROUP_ROWS,
  cbRows,
  clearRows,
  crRows,
  isFull,
  lumaRows,
  padRows,
  rowsHeld,
  stride,
  takeRow,
} from "./planes";
import { SAMPLE_BYTES } from "./samples";
import { MOST_BLOCK_TOKENS } from "./tokens";

/** Where the next token is written. */
let nextToken: usize = 0;

/** Forgets all tokens, so that their room can be used again. */
export function clearTokens(): void {
  nextToken = tokens;
}

/**
 * Encodes rows `from` to `count` of the staged rows to tokens.
 * @returns the row it stopped at: `count`, or less when the tokens must be emitted first
 */
export function push(from: i32, count: i32): i32 {
  for (let row = from; row < count; row++) {
    if (isFull() && !encodeGroup()) return row;
    takeRow(staging + <usize>row * rowBytes);
  }
  return count;
}

/**
 * Encodes the rows that are held. The last one is repeated until the group is full.
 * @returns false when the tokens must be emitted first
 */
export function finish(): boolean {
  if (rowsHeld == 0) return true;
  padRows();
  return encodeGroup();
}

/** Encodes the group in the planes. @returns false when there may be no room for its tokens */
function encodeGroup(): boolean {
  if (nextToken + <usize>(blocksPerGroup() * MOST_BLOCK_TOKENS) > tokensEnd) return false;
  clearRows();
  // Chroma takes the visual masks of the luma that was encoded last, so luma comes before the chroma beside it.
  if (!isColour || encodesFull) encodePlane(0, lumaRows, stride * SAMPLE_BYTES);
  if (!isColour) return true;
  if (encodesFull) {
    encodePlane(3, cbRows, stride * SAMPLE_BYTES);
    encodePlane(4, crRows, stride * SAMPLE_BYTES);
  }
  if (encodesHalved) {
    encodePlane(5, repairedLumaRows, stride * SAMPLE_BYTES);
    encodePlane(1, halvedCbRows(), (stride >> 1) * SAMPLE_BYTES);
    encodePlane(2, halvedCrRows(), (stride >> 1) * SAMPLE_BYTES);
  }
  return true;
}

/** Encodes the rows of blocks of one plane that are within the picture. */
function encodePlane(index: i32, samples: usize, bytes: i32): void {
  const component = componentAt(index);
  const rows = component.isHalved ? 1 : GROUP_ROWS / 8;
  for (let row = 0; row < rows && component.rowsDone < component.blocksHigh; row++) {
    nextToken = encodeRow(component, samples + <usize>(8 * row * bytes), bytes, nextToken);
  }
  learnRates(component);
}
