import type { MasterFacts, MasterFormat } from "../model/facts.ts";
import { readSvg } from "./svg/read.ts";
import { ByteFeed, type Parsing } from "../bytes/byte-feed.ts";
import { readRaster } from "./raster.ts";
import { sniff } from "./sniff.ts";

export { InvalidImageError, UnsupportedMediaError } from "../bytes/errors.ts";
export { SvgRejectedError } from "./svg/errors.ts";

/**
 * Reads a file as it passes by and says what it is. It holds a few KB of it at most, or the item tables of an
 * AVIF (up to 1 MB), or a drawing (SVG.maxBytes); its work grows with the length of the file and nothing else.
 */
export interface Probe {
  /** The kind, once the first bytes have told it; null before. */
  readonly format: MasterFormat | null;
  /** The drawing that is stored in place of an SVG file; null before the end, and for every other kind. */
  readonly document: string | null;
  /**
   * Takes the next bytes of the file, of any number; the chunk may be reused or transferred afterwards.
   * @throws UnsupportedMediaError | InvalidImageError | SvgRejectedError as soon as it can be known, and again from then on
   */
  push(chunk: Uint8Array): void;
  /**
   * The file has ended.
   * @throws UnsupportedMediaError | InvalidImageError | SvgRejectedError for a truncated file among others
   */
  finish(): MasterFacts;
}

export function createProbe(): Probe {
  const feed = new ByteFeed();
  let format: MasterFormat | null = null;
  let document: string | null = null;
  const parsing = readMaster(
    feed,
    (told) => (format = told),
    (safe) => (document = safe),
  );
  let facts: MasterFacts | null = null;
  let failure: { error: unknown } | null = null;

  const advance = (): void => {
    if (failure !== null) throw failure.error;
    try {
      const step = parsing.next();
      if (step.done) facts = step.value;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };

  return {
    get format() {
      return format;
    },
    get document() {
      return document;
    },
    push(chunk) {
      if (facts !== null || chunk.length === 0) return;
      if (failure === null) feed.give(chunk);
      advance();
    },
    finish() {
      feed.end();
      // Once the end is known a parser asks for nothing more: one step brings it to its answer or its error.
      if (facts === null) advance();
      return facts!;
    },
  };
}

function* readMaster(
  feed: ByteFeed,
  tell: (format: MasterFormat) => void,
  keep: (document: string) => void,
): Parsing<MasterFacts> {
  const { kind, head } = yield* sniff(feed);
  tell(kind === "isobmff" ? "avif" : kind);
  if (kind !== "svg") return yield* readRaster(feed, kind);
  const { document, facts } = yield* readSvg(feed, head);
  keep(document);
  return facts;
}
