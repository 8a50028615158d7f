import { InvalidImageError } from "../../bytes/errors.ts";
import { startsWith, u16le, u24le, u32le } from "../../bytes/numbers.ts";
import type { Size } from "../../geometry/size.ts";

/** The data about a picture in the first bytes of its VP8 or VP8L chunk. */
export interface Bitstream extends Size {
  lossless: boolean;
  hasAlpha: boolean;
}

/** The number of bytes of the chunk that `readBitstream` needs. */
export const HEADER_SIZE = { "VP8 ": 10, VP8L: 5 } as const;
export type BitstreamType = keyof typeof HEADER_SIZE;

export const isBitstream = (type: string): type is BitstreamType => type in HEADER_SIZE;

/**
 * Reads the header of a bitstream.
 * @param head the first `HEADER_SIZE` bytes of the chunk
 * @param size the length of the whole chunk, in bytes
 * @throws InvalidImageError
 */
export const readBitstream = (type: BitstreamType, head: Uint8Array, size: number): Bitstream =>
  type === "VP8L" ? readLossless(head) : readLossy(head, size);

/** Reads the header of a key frame: RFC 6386 section 9.1. WebP contains nothing but key frames that are shown. */
function readLossy(head: Uint8Array, size: number): Bitstream {
  const tag = u24le(head, 0);
  const isKeyFrame = (tag & 1) === 0;
  const isShown = ((tag >> 4) & 1) === 1;
  const firstPartition = tag >> 5;
  if (!isKeyFrame || !isShown || ((tag >> 1) & 7) > 3 || !startsWith(head, "\x9d\x01\x2a", 3)) {
    throw new InvalidImageError("WebP chunk VP8 does not begin with a key frame");
  }
  if (firstPartition > size - HEADER_SIZE["VP8 "]) {
    throw new InvalidImageError("WebP chunk VP8 is shorter than its first partition");
  }
  const width = u16le(head, 6) & 0x3fff;
  const height = u16le(head, 8) & 0x3fff;
  if (width === 0 || height === 0) throw new InvalidImageError(`WebP picture of ${width}×${height} pixels`);
  return { width, height, lossless: false, hasAlpha: false };
}

/** Reads the header of a VP8L chunk: RFC 9649 section 3. */
function readLossless(head: Uint8Array): Bitstream {
  const bits = u32le(head, 1);
  if (head[0] !== 0x2f || bits >>> 29 !== 0) {
    throw new InvalidImageError("WebP chunk VP8L does not begin with its signature");
  }
  return {
    width: (bits & 0x3fff) + 1,
    height: ((bits >>> 14) & 0x3fff) + 1,
    lossless: true,
    hasAlpha: ((bits >>> 28) & 1) === 1,
  };
}
