/**
 * The part of the memory that holds what only the file tells: the images of the transforms, the groups of the tiles, and
 * the tables of prefix codes. The plan says how large it is (src/image/formats/webp/decoder-memory.ts), and it is
 * allocated before the first symbol is read, so that a file cannot take more.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";

let next: usize = 0;
let end: usize = 0;
let marked: usize = 0;

/** Allocates the part. @returns false when the memory is at its end */
export function layOutReserve(bytes: u32): boolean {
  next = allocate(<u64>bytes);
  end = next + bytes;
  return next ? true : false;
}

/** Takes `bytes`, aligned to 4. @returns the address, or 0 when the part is used up */
export function takeReserve(bytes: u32): usize {
  const size = (<usize>bytes + 3) & ~3;
  if (size > end - next) return 0;
  next += size;
  return next - size;
}

/** Notes what is taken, so that `returnToMark` can give back all that is taken from here on. */
export function markReserve(): void {
  marked = next;
}

export function returnToMark(): void {
  next = marked;
}
