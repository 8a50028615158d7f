/** Flags, as bits, of the four blocks on one side of a macroblock: whether each has levels. */

/** Packs four flags of a byte each into bits. */
@inline
export function flagBits(flags: usize): i32 {
  return <i32>(((load<u32>(flags) & 0x01010101) * 0x01020408) >> 24);
}

/** Returns how many of the blocks above and to the left of block `i` of 16 have levels. */
@inline
export function contextOf(i: usize, above: i32, left: i32): i32 {
  return ((above >> (<i32>(i & 3))) & 1) + ((left >> (<i32>(i >> 2))) & 1);
}

/** Sets bit `at` to `flag`. */
@inline
export function withFlag(bits: i32, at: usize, flag: i32): i32 {
  return (bits & ~(1 << (<i32>at))) | (flag << (<i32>at));
}
