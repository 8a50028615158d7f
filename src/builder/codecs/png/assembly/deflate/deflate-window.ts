/** The window, in which matches are found, and how bytes are hashed to find them. */
export const WINDOW_BYTES: i32 = 32_768;
export const WINDOW_MASK: i32 = WINDOW_BYTES - 1;
/** Deflate allows one more. At that distance, the table's entry already belongs to a later place. */
export const MOST_DISTANCE: i32 = WINDOW_BYTES - 1;
const HASH_FACTOR: u32 = 0x9e3779b1;
/** Bits of hashes of four bytes, and of three. */
export const TREE_HASH_BITS: u32 = 15;
export const SHORT_HASH_BITS: u32 = 14;

@inline
export function hashOf(bytes: u32, bits: u32): usize {
  return <usize>((bytes * HASH_FACTOR) >> (32 - bits));
}

/** Lowers all places in a table by the size of the dropped half. Places in that half become 0. */
export function lower(table: usize, bytes: usize): void {
  const by = i16x8.splat(<i16>WINDOW_BYTES);
  for (let entry = table; entry < table + bytes; entry += 16) {
    v128.store(entry, i16x8.sub_sat_u(v128.load(entry), by));
  }
}
