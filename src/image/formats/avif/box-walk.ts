/** Reads the boxes of an ISO media file from a feed: ISO/IEC 14496-12 section 4.2. isobmff.ts reads boxes in memory. */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { InvalidImageError } from "../../bytes/errors.ts";
import { printable } from "../../bytes/numbers.ts";
import { Reader } from "./isobmff.ts";

/** The largest meta or moov box that is read. Item tables take a few KB, an ICC profile up to about 500 KB. */
export const META_MAX_BYTES = 1_048_576;

export interface BoxHead {
  type: string;
  /** Bytes of content; null for a box that runs to the end of the file. */
  size: number | null;
}

/** Reads the head of the next box. @throws InvalidImageError for a size that is smaller than the head */
export function* nextBox(feed: ByteFeed): Parsing<BoxHead> {
  const head = new Reader(yield* feed.take(8, "AVIF box header"), "box header");
  const size = head.u32();
  const type = printable(head.fourcc());
  if (size === 0) return { type, size: null };
  if (size === 1) {
    const large = new Reader(yield* feed.take(8, "AVIF box header"), "box header").uint(8);
    if (large < 16) throw new InvalidImageError(`AVIF box ${type} has a size of ${large} bytes`);
    return { type, size: large - 16 };
  }
  if (size < 8) throw new InvalidImageError(`AVIF box ${type} has a size of ${size} bytes`);
  return { type, size: size - 8 };
}

/** Reads the content of a box into memory. @throws InvalidImageError when it is over META_MAX_BYTES */
export function* contentOf(feed: ByteFeed, { type, size }: BoxHead): Parsing<Uint8Array> {
  const where = `AVIF box ${type}`;
  if (size !== null && size <= META_MAX_BYTES) return yield* feed.take(size, where);
  const content = size === null ? yield* feed.takeUpTo(META_MAX_BYTES + 1) : null;
  if (content === null || content.length > META_MAX_BYTES)
    throw new InvalidImageError(`${where} is over ${META_MAX_BYTES} bytes`);
  return content;
}
