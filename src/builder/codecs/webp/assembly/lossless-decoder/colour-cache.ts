/** The cache of colours that were seen last (RFC 9649, 3.6.3). */
const HASH: u32 = 0x1e35a7bd;
export const CACHE_BITS_MAX: u32 = 11;

/** The colours (u32) by their hash. */
const colours = memory.data(4 << 11);
let shift: u32 = 0;

/** Begins with an empty cache of 2^`bits` colours. */
export function clearCache(bits: u32): void {
  shift = 32 - bits;
  memory.fill(colours, 0, 4 << bits);
}

@inline
export function cachedColour(index: u32): u32 {
  return load<u32>(colours + ((<usize>index) << 2));
}

/** Puts the pixels (u32) from `from` to `end` into the cache. */
export function cacheColours(from: usize, end: usize): void {
  for (let at = from; at < end; at += 4) {
    const colour = load<u32>(at);
    store<u32>(colours + ((<usize>((colour * HASH) >> shift)) << 2), colour);
  }
}
