/** The blocks of a file that may state rights, as a format's reader finds them. Nothing of them is interpreted yet. */
import { METADATA } from "../../../limits.ts";
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";

type Bytes = Uint8Array;

/** The first block of each kind. A reader fills the object while the file passes, so a damaged file keeps what it had. */
export interface MetadataBlocks {
  /** A TIFF block, with or without the `Exif\0\0` of JPEG before it. */
  exif?: Bytes;
  /** An XMP packet. */
  xmp?: Bytes;
  /** The rest of the XMP of a JPEG, which the packet names by its digest (XMP part 3, section 1.1.3.1). */
  extendedXmp?: { digest: string; packet: Bytes };
  /** Image resources of Photoshop, which hold the records of IPTC. */
  photoshop?: Bytes;
  /** Texts of a PNG. */
  texts?: { author?: string; copyright?: string };
}

/**
 * Reads the next `size` bytes, of which at most METADATA.blockMaxBytes are kept: the values of interest stand near the
 * beginning.
 */
export function* keptOf(feed: ByteFeed, size: number): Parsing<Bytes> {
  const kept = yield* feed.takeUpTo(Math.min(size, METADATA.blockMaxBytes));
  yield* feed.skip(size - kept.length, "metadata");
  return kept;
}
