/** The references of the parameters of loop restoration in a tile: those of its last units (i8). */

/** Per plane: six factors of Wiener filters, two of self-guided ones. */
const PLANE_BYTES: usize = 8;
export const RESTORATION_BYTES: usize = 3 * PLANE_BYTES;

const WIENER_MIDDLE = memory.data<i8>([3, -7, 15, 3, -7, 15, -32, 31]);

export function resetReferences(at: usize): void {
  for (let plane = 0; plane < 3; plane++)
    store<u64>(at + <usize>plane * PLANE_BYTES, load<u64>(WIENER_MIDDLE));
}

/** Returns the address of the six factors of Wiener filters: vertical, then horizontal. */
@inline
export function wienerReference(at: usize, plane: i32): usize {
  return at + <usize>plane * PLANE_BYTES;
}

@inline
export function guidedReference(at: usize, plane: i32): usize {
  return at + <usize>plane * PLANE_BYTES + 6;
}
