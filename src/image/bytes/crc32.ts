/** CRC-32 of PNG chunks (PNG 3rd edition, annex D). WebAssembly (png.wasm) checks the large chunks of a master. */
const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** Returns the CRC of everything so far: `before` is the CRC of the earlier bytes, 0 when there are none. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i += 1) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[i]!) & 255]!;
  return ~crc >>> 0;
}
