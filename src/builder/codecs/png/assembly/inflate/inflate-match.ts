/** Copies bytes within the output, by a length and a distance (RFC 1951, section 3.2.3). */

/** Most bytes that a copy writes past its end. */
export const COPY_SLACK: usize = 32;

/**
 * For distances 0 to 15: the shuffle that fills a vector with repetitions, and how many of its bytes are whole
 * repetitions.
 */
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
