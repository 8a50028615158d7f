/** Copies within the output: what a length and a distance mean (RFC 1951, section 3.2.3). */

/** Most bytes that a copy writes past its end. */
export const COPY_SLACK: usize = 32;

/** For distances 0 to 15: which of the last bytes a vector of repetitions is made of, then how many bytes of it are whole. */
const PATTERNS = memory.data(16 * 16);
const STEPS = memory.data<u8>([16, 16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15]);

export function prepareCopies(): void {
  for (let distance: usize = 1; distance < 16; distance++) {
    for (let i: usize = 0; i < 16; i++) store<u8>(PATTERNS + 16 * distance + i, <u8>(i % distance));
  }
}

/** Repeats `length` bytes from `distance` before `out`. */
@inline
export function copyMatch(out: usize, distance: usize, length: usize): void {
  const end = out + length;
  let from = out - distance;
  if (distance >= 16) {
    do {
      v128.store(out, v128.load(from));
      out += 16;
      from += 16;
    } while (out < end);
  } else {
    const pattern = v128.swizzle(v128.load(from), v128.load(PATTERNS + 16 * distance));
    const step = <usize>load<u8>(STEPS + distance);
    do {
      v128.store(out, pattern);
      out += step;
    } while (out < end);
  }
}
