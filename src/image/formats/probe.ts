import type { MasterFacts, MasterFormat } from "../model/facts.ts";
import { readSvg } from "./svg/read.ts";
import type { Work } from "./svg/work/work.ts";
import { ByteFeed, type Parsing } from "../bytes/byte-feed.ts";
import { readRaster } from "./raster.ts";
import { sniff } from "./sniff.ts";

export { InvalidImageError, UnsupportedMediaError } from "../bytes/errors.ts";
export { SvgRejectedError } from "./svg/errors.ts";

/**
 * Reads a file while it streams through and finds out its facts. It holds a few KB of the file at most, except for the
 * item tables of an AVIF (up to 1 MB) and a drawing (SVG.maxBytes). Its work grows linearly with the file.
 */
export interface Probe {
  /** The format; null until the first bytes have shown it. */
  readonly format: MasterFormat | null;
  /** The sanitized drawing to store in place of an SVG file; null before the end, and for every other format. */
  readonly document: string | null;
  /**
   * Takes the next bytes of the file, any number of them. The chunk may be reused or transferred afterwards.
   * @throws UnsupportedMediaError | InvalidImageError | SvgRejectedError as early as possible, and on every later call
   */
  push(chunk: Uint8Array): void;
  /**
   * Ends the file and returns its facts.
   * @throws UnsupportedMediaError | InvalidImageError | SvgRejectedError for the same reasons, and for a truncated file
   */
  finish(): MasterFacts;
}

/** @param beginDrawing gets the budget for checking a drawing, before any of it is spent; it may refuse by throwing */
export function createProbe(beginDrawing?: (work: Work) => void): Probe {
  const feed = new ByteFeed();
  let format: MasterFormat | null = null;
  let document: string | null = null;
  const parsing = readMaster(
    feed,
    (told) => (format = told),
    (safe) => (document = safe),
    beginDrawing,
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
      // After the end, a parser does not yield any more: one step brings it to its result or its error.
      if (facts === null) advance();
      return facts!;
    },
  };
}

function* readMaster(
  feed: ByteFeed,
  tell: (format: MasterFormat) => void,
  keep: (document: string) => void,
  beginDrawing?: (work: Work) => void,
): Parsing<MasterFacts> {
  const { kind, head } = yield* sniff(feed);
  tell(kind === "isobmff" ? "avif" : kind);
  if (kind !== "svg") return yield* readRaster(feed, kind);
  const { document, facts } = yield* readSvg(feed, head, beginDrawing);
  keep(document);
  return facts;
}
