/** The form of a reader of files that hold pixels. */
import type { ByteFeed, Parsing } from "../bytes/byte-feed.ts";
import type { MasterFacts } from "../model/facts.ts";
import type { ColourMetadata } from "./colour-metadata.ts";
import type { MetadataBlocks } from "./metadata/blocks.ts";
import type { Postpone } from "./postponed-scan.ts";

/** The number of bytes that identify a format. */
export const SIGNATURE_BYTES = 12;

export interface RasterReader<Facts extends MasterFacts> {
  /** Whether a file that begins with these SIGNATURE_BYTES is read as this format. */
  readonly isSigned: (head: Uint8Array) => boolean;
  /**
   * Reads the facts of a file, none of which has been consumed.
   * @param postpone gets a scan that is too long to be kept; without it, such a file is refused
   */
  readonly read: (feed: ByteFeed, postpone?: Postpone) => Parsing<Facts>;
  /**
   * Reads the colour metadata of a file. Null for a format that does not state a colour space.
   * @param maxBytes the largest profile that is kept
   */
  readonly readColour: ((feed: ByteFeed, maxBytes: number) => Parsing<ColourMetadata>) | null;
  /** Finds the blocks that may state rights. It works beside `read`, so it may throw at a broken file. */
  readonly readMetadata: (feed: ByteFeed, found: MetadataBlocks) => Parsing<void>;
}
