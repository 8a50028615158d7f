/** Reads the parts that are not compressed: header and checksum of the stream, and the length of a stored block. */
import { align, isOverdrawn, take } from "./inflate-bits";

/** Reads CMF and FLG (RFC 1950, section 2.2). @returns whether the stream is deflate without a dictionary */
export function readStreamHeader(): boolean {
  const method = take(8);
  const flags = take(8);
  const isSound =
    (method & 15) == 8 && method >> 4 <= 7 && ((method << 8) | flags) % 31 == 0 && (flags & 32) == 0;
  return isSound && !isOverdrawn();
}

/**
 * Reads LEN and NLEN (RFC 1951, section 3.2.4). @returns the bytes of the block, or -1 when LEN and NLEN do not match
 */
export function readStoredLength(): i32 {
  align();
  const length = take(16);
  const inverse = take(16);
  if (isOverdrawn() || (length ^ inverse) != 0xffff) return -1;
  align();
  return length;
}

/** Reads ADLER32, in big-endian order (RFC 1950, section 2.2). @returns whether it equals `adler` */
export function isNextChecksum(adler: u32): boolean {
  const stated = bswap<u32>(take(32));
  return stated == adler && !isOverdrawn();
}
