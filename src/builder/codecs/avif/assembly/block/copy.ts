/** Copies and clears few bytes: for those, `memory.copy` and `memory.fill` take longer than the bytes do. */

/** Copies `bytes`, rounded up to a multiple of 16. */
@inline
export function copyVectors(to: usize, from: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 16) v128.store(to + at, v128.load(from + at));
}

/** Clears `bytes`, rounded up to a multiple of 16. */
@inline
export function clearVectors(to: usize, bytes: usize): void {
  const nothing = i64x2.splat(0);
  for (const end = to + bytes; to < end; to += 16) v128.store(to, nothing);
}

/** Copies rows of 4, 8, 16, 32 or 64 bytes. */
export function copyRows(
  to: usize,
  toStride: usize,
  from: usize,
  fromStride: usize,
  wide: i32,
  high: i32,
): void {
  for (let i = 0; i < high; i++, to += toStride, from += fromStride) {
    if (wide == 4) store<u32>(to, load<u32>(from));
    else if (wide == 8) store<u64>(to, load<u64>(from));
    else {
      v128.store(to, v128.load(from));
      for (let at: usize = 16; at < <usize>wide; at += 16) v128.store(to + at, v128.load(from + at));
    }
  }
}
