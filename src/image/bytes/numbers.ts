/** Reads unsigned integers at an offset of a byte array. The caller makes sure that the array is long enough. */

export const u16be = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;
export const u32be = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
export const u16le = (bytes: Uint8Array, at: number): number => bytes[at]! | (bytes[at + 1]! << 8);
export const u24le = (bytes: Uint8Array, at: number): number => u16le(bytes, at) | (bytes[at + 2]! << 16);
export const u32le = (bytes: Uint8Array, at: number): number =>
  (u24le(bytes, at) | (bytes[at + 3]! << 24)) >>> 0;

/** Reads bytes as Latin-1 text: four-character codes, magic words. */
export const latin1 = (bytes: Uint8Array, from = 0, to = bytes.length): string =>
  String.fromCharCode(...bytes.subarray(from, to));

/** Returns whether this ASCII text stands at offset `at` of the bytes. */
export function startsWith(bytes: Uint8Array, text: string, at = 0): boolean {
  if (bytes.length < at + text.length) return false;
  for (let i = 0; i < text.length; i += 1) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Returns a four-character code from a file, safe to print in a message. */
export const printable = (code: string): string => code.replace(/[^\x20-\x7e]/g, "?");
