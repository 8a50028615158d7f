/** The second pass over blocks: codes their tokens as booleans (RFC 6386, 13.2). */
import { putBit } from "./bool-coder";
import { PROBABILITIES_BYTES, probabilities } from "./probabilities";
import { BYTE, NARROW, NARROW_VALUES, rowOf, WORD } from "./tokens";

/** Probabilities of the extra bits of categories 3 to 6 (13.2), the highest bit first, 11 bytes each. */
const EXTRA_BITS = memory.data<u8>([
  173, 148, 140, 0, 0, 0, 0, 0, 0, 0, 0, 176, 155, 140, 135, 0, 0, 0, 0, 0, 0, 0, 180, 157, 141, 134, 130, 0,
  0, 0, 0, 0, 0, 254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129,
]);

/** Whether the last coded block has levels. */
export let hadLevels = false;

@inline
function at(row: i32): usize {
  return probabilities + <usize>row * PROBABILITIES_BYTES;
}

/** Returns the address of the probabilities of the extra bits of category 3 + `index`. */
@inline
export function extraBits(index: i32): usize {
  return EXTRA_BITS + <usize>index * 11;
}

/** Returns the number of extra bits of category 3 + `index`. */
@inline
export function extraBitCount(index: i32): i32 {
  return index == 3 ? 11 : 3 + index;
}

/** Codes a level above 4, after the branch that says so. */
function putLarge(size: i32, p: usize): void {
  if (size <= 10) {
    putBit(false, load<u8>(p, 6));
    putBit(size > 6, load<u8>(p, 7));
    if (size <= 6) {
      putBit(size == 6, 159);
    } else {
      putBit(size >= 9, 165);
      putBit((size & 1) == 0, 145);
    }
    return;
  }
  putBit(true, load<u8>(p, 6));
  const index = size < 19 ? 0 : size < 35 ? 1 : size < 67 ? 2 : 3;
  putBit(index > 1, load<u8>(p, 8));
  putBit((index & 1) != 0, load<u8>(p + 9 + (index >> 1)));
  const extra = size - 3 - (8 << index);
  const likely = extraBits(index);
  const bits = extraBitCount(index);
  for (let i = 0; i < bits; i++) {
    putBit(((extra >> (bits - 1 - i)) & 1) != 0, load<u8>(likely + i));
  }
}

/**
 * Codes one block from its tokens.
 * @returns the address of the next block's tokens
 */
export function emitBlock(tokens: usize, kind: i32, first: i32, context: i32): usize {
  let position = first;
  let p = at(rowOf(kind, first) + context);
  hadLevels = false;
  while (position < 16) {
    const token = <i32>load<u8>(tokens++);
    putBit(token != 0, load<u8>(p));
    if (token == 0) return tokens;
    hadLevels = true;
    let run = 0;
    let level = 0;
    if (token < BYTE) {
      run = (token - NARROW) / NARROW_VALUES;
      level = token - NARROW - NARROW_VALUES * run - 7;
      if (level >= 0) level++;
    } else if (token < WORD) {
      run = token - BYTE;
      level = load<i8>(tokens++);
    } else {
      run = token - WORD;
      level = load<i16>(tokens);
      tokens += 2;
    }
    for (const next = position + run; position < next;) {
      putBit(false, load<u8>(p, 1));
      p = at(rowOf(kind, ++position));
    }
    putBit(true, load<u8>(p, 1));
    const size = abs<i32>(level);
    putBit(size > 1, load<u8>(p, 2));
    if (size > 1) {
      putBit(size > 4, load<u8>(p, 3));
      if (size > 4) {
        putLarge(size, p);
      } else {
        putBit(size > 2, load<u8>(p, 4));
        if (size > 2) putBit(size == 4, load<u8>(p, 5));
      }
    }
    putBit(level < 0, 128);
    p = at(rowOf(kind, ++position) + (size > 1 ? 2 : 1));
  }
  return tokens;
}
