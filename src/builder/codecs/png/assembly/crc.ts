/** CRC-32 of chunks (PNG specification, annex D), sixteen bytes at a time with sixteen tables. */

const POLYNOMIAL: u32 = 0xedb88320;
const TABLE_BYTES: usize = 1024;

const TABLES: usize = 16;

const tables = memory.data(16 * 1024, 16);

/** Fills the tables. */
export function prepareCrc(): void {
  for (let n: u32 = 0; n < 256; n++) {
    let crc = n;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? POLYNOMIAL ^ (crc >> 1) : crc >> 1;
    store<u32>(tables + (n << 2), crc);
  }
  // Table t holds the CRC of a byte followed by t zero bytes.
  for (let n: usize = 0; n < 256; n++) {
    for (let t: usize = 1; t < TABLES; t++) {
      const before = load<u32>(tables + (t - 1) * TABLE_BYTES + (n << 2));
      store<u32>(tables + t * TABLE_BYTES + (n << 2), (before >> 8) ^ entry(0, before & 255));
    }
  }
}

@inline
function entry(table: usize, byte: u32): u32 {
  return load<u32>(tables + table * TABLE_BYTES + ((<usize>byte) << 2));
}

/** Continues a CRC over `length` bytes. Argument and result are CRCs as written in a chunk; the first argument is 0. */
export function updateCrc(crc: u32, at: usize, length: usize): u32 {
  let c = ~crc;
  const end = at + length;
  for (; at + 16 <= end; at += 16) {
    const low = load<u64>(at) ^ (<u64>c);
    const high = load<u64>(at, 8);
    // Only the lower half depends on the step before.
    const ahead = eight(high, 0);
    c = eight(low, 8) ^ ahead;
  }
  for (; at < end; at++) c = entry(0, (c ^ load<u8>(at)) & 255) ^ (c >> 8);
  return ~c;
}

/** Returns the CRC of eight bytes that are followed by `behind` zero bytes. */
@inline
function eight(bytes: u64, behind: usize): u32 {
  return (
    entry(behind + 7, (<u32>bytes) & 255) ^
    entry(behind + 6, ((<u32>bytes) >> 8) & 255) ^
    entry(behind + 5, ((<u32>bytes) >> 16) & 255) ^
    entry(behind + 4, (<u32>bytes) >> 24) ^
    (entry(behind + 3, (<u32>(bytes >> 32)) & 255) ^
      entry(behind + 2, (<u32>(bytes >> 40)) & 255) ^
      entry(behind + 1, (<u32>(bytes >> 48)) & 255) ^
      entry(behind, <u32>(bytes >> 56)))
  );
}
