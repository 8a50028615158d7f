/** The form of a reader of files that describe drawings. */
import type { ByteFeed, Parsing } from "../bytes/byte-feed.ts";
import type { MasterFacts } from "../model/facts.ts";
import type { Work } from "./svg/work/work.ts";

/** The text that is searched for the root element, in bytes: a prolog may be long, with a licence or an internal subset. */
export const PROLOG_MAX_BYTES = 16_384;

/** A drawing that has been checked. */
export interface CheckedDrawing<Facts extends MasterFacts> {
  /** The sanitized document to store in place of the file. */
  document: string;
  facts: Facts;
}

export interface DrawingReader<Facts extends MasterFacts> {
  /** Whether a file that begins with these bytes, at most PROLOG_MAX_BYTES, is read as this format. */
  readonly isDrawing: (head: Uint8Array) => boolean;
  /**
   * Reads and checks a file.
   * @param head the bytes that were consumed from the feed already
   * @param begin gets the budget of the checking before any of it is spent; it may refuse by throwing
   */
  readonly read: (
    feed: ByteFeed,
    head: Uint8Array,
    begin?: (work: Work) => void,
  ) => Parsing<CheckedDrawing<Facts>>;
}
