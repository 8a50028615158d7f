/** The zigzag order of coefficients (ITU T.81 figure A.6), as offsets into blocks. */

/** More than 64, because a corrupt run of zeros may carry an index past the last coefficient before it is noticed. */
const ENTRIES: i32 = 80;
/** Marks coefficients that a scaled block does not keep. */
export const NOT_KEPT: u32 = 255;

/** Byte offset of the k-th coefficient in a block of 64 i16 in rows. Past the end, it is that of the last one. */
export const BLOCK_OFFSETS: usize = memory.data(80, 16);
/** For sizes 1, 2, 4 and 8: byte offset of the k-th coefficient in a block of size * size i16, or NOT_KEPT. */
const KEPT_OFFSETS: usize = memory.data(320, 16);

export function keptOffsets(log2Size: i32): usize {
  return KEPT_OFFSETS + <usize>(log2Size * ENTRIES);
}

/** Returns the coefficients that a block of this size keeps: bit k is set for the k-th. */
export function keptMask(log2Size: i32): u64 {
  const offsets = keptOffsets(log2Size);
  let mask: u64 = 0;
  for (let k = 0; k < 64; k++) {
    if (load<u8>(offsets + <usize>k) != NOT_KEPT) mask |= (<u64>1) << (<u64>k);
  }
  return mask;
}

export function initialiseZigzag(): void {
  memory.fill(KEPT_OFFSETS, <u8>NOT_KEPT, 4 * ENTRIES);
  memory.fill(BLOCK_OFFSETS, 126, ENTRIES);
  let row = 0;
  let column = 0;
  for (let k = 0; k < 64; k++) {
    store<u8>(BLOCK_OFFSETS + <usize>k, <u8>((row * 8 + column) * 2));
    for (let log2Size = 0; log2Size < 4; log2Size++) {
      const size = 1 << log2Size;
      if (row >= size || column >= size) continue;
      store<u8>(keptOffsets(log2Size) + <usize>k, <u8>((row * size + column) * 2));
    }
    const upwards = ((row + column) & 1) == 0;
    if (upwards) {
      if (column == 7) row++;
      else {
        column++;
        if (row > 0) row--;
      }
    } else if (row == 7) column++;
    else {
      row++;
      if (column > 0) column--;
    }
  }
}
