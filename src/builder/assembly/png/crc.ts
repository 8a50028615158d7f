/** CRC-32 of chunks (PNG specification, annex D), eight bytes at a time with eight tables. */
import { allocate } from "../shared/arena";

const POLYNOMIAL: u32 = 0xedb88320;
const TABLE_BYTES: usize = 1024;

let tables: usize = 0;

/** Makes the tables. @returns false when the memory is at its end */
export function prepareCrc(): bool {
  tables = allocate(8 * <u64>TABLE_BYTES);
  if (!tables) return false;
  for (let n: u32 = 0; n < 256; n++) {
    let crc = n;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? POLYNOMIAL ^ (crc >> 1) : crc >> 1;
    store<u32>(tables + (n << 2), crc);
  }
  // Table t holds the CRC of a byte followed by t zero bytes.
  for (let n: usize = 0; n < 256; n++) {
    for (let t: usize = 1; t < 8; t++) {
      const before = load<u32>(tables + (t - 1) * TABLE_BYTES + (n << 2));
      store<u32>(tables + t * TABLE_BYTES + (n << 2), (before >> 8) ^ entry(0, before & 255));
    }
  }
  return true;
}

// @ts-ignore: decorator
@inline
function entry(table: usize, byte: u32): u32 {
  return load<u32>(tables + table * TABLE_BYTES + (<usize>byte << 2));
}

/** Continues a CRC over `length` bytes. Both sides are the plain value: start with 0. */
export function updateCrc(crc: u32, at: usize, length: usize): u32 {
  let c = ~crc;
  const end = at + length;
  for (; at + 8 <= end; at += 8) {
    const low = load<u32>(at) ^ c;
    const high = load<u32>(at, 4);
    c =
      entry(7, low & 255) ^
      entry(6, (low >> 8) & 255) ^
      entry(5, (low >> 16) & 255) ^
      entry(4, low >> 24) ^
      entry(3, high & 255) ^
      entry(2, (high >> 8) & 255) ^
      entry(1, (high >> 16) & 255) ^
      entry(0, high >> 24);
  }
  for (; at < end; at++) c = entry(0, (c ^ load<u8>(at)) & 255) ^ (c >> 8);
  return ~c;
}
