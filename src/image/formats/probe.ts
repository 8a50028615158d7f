import type { MasterFacts } from "../model/facts.ts";
import type { Postpone } from "./postponed-scan.ts";
import type { MasterFormat } from "./registry.ts";
import { inOnePiece } from "./svg/work/pieces.ts";
import type { Work } from "./svg/work/work.ts";
import { ByteFeed, type Parsing } from "../bytes/byte-feed.ts";
import { Inspection } from "./inspection.ts";
import { readRaster } from "./raster.ts";
import { sniff } from "./sniff.ts";

export { InvalidImageError, UnsupportedMediaError } from "../bytes/errors.ts";
export type { PostponedScan } from "./postponed-scan.ts";
export { SvgRejectedError } from "./svg/errors.ts";

/**
 * A reader that finds out the facts of a file while it streams through. It holds a few KB of the file at most, except for the
 * item tables of an AVIF (up to 1 MB) and a drawing (SVG.maxBytes). Its work grows linearly with the file.
 */
export interface Probe {
  /** The format; null until the first bytes have shown it. */
  readonly format: MasterFormat | null;
  /** The sanitized drawing to store in place of an SVG file; null before the end, and for every other format. */
  readonly document: string | null;
  /** Returns the document, and forgets it: a large one is not held beside its bytes. */
  takeDocument(): string | null;
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
  /**
   * Does the same in pieces. Whoever drives it may do something else after each, such as serving other requests: the
   * checking of a drawing takes long.
   */
  finishInPieces(): Generator<undefined, MasterFacts, undefined>;
}

/** The ways in which a caller takes part in reading a file. */
export interface ProbeHooks {
  /** Gets the budget for checking a drawing, before any of it is spent. It may refuse by throwing. */
  beginDrawing?: (work: Work) => void;
  /** Gets the scan of a JPEG without EOI that is still to be checked. Without this hook, a long one is refused. */
  postpone?: Postpone;
}

const NOTHING = new Uint8Array(0);

/** Makes a probe of one file. */
export function createProbe(hooks: ProbeHooks = {}): Probe {
  const feed = new ByteFeed();
  let format: MasterFormat | null = null;
  let document: string | null = null;
  /** Copies of the chunks from before the format was known. */
  let early: Uint8Array[] = [];
  let inspection: Inspection | null = null;
  const parsing = readMaster(
    feed,
    (told) => (format = told),
    (safe) => (document = safe),
    hooks,
  );
  let facts: MasterFacts | null = null;
  let failure: { error: unknown } | null = null;

  const advance = (): MasterFacts | null => {
    if (failure !== null) throw failure.error;
    try {
      const step = parsing.next();
      if (step.done) facts = step.value;
      return facts;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };

  const inspect = (chunk: Uint8Array): void => {
    if (format === null) {
      early.push(chunk.slice());
      return;
    }
    inspection ??= new Inspection(format);
    for (const one of early) inspection.push(one);
    early = [];
    inspection.push(chunk);
  };

  function* finishInPieces(): Generator<undefined, MasterFacts, undefined> {
    feed.end();
    // After the end, a parser yields only between pieces of its computing.
    while (facts === null) if (advance() === null) yield;
    inspect(NOTHING);
    return { ...facts, ...inspection?.finish(facts) };
  }

  return {
    finishInPieces,
    get format() {
      return format;
    },
    get document() {
      return document;
    },
    takeDocument() {
      const taken = document;
      document = null;
      return taken;
    },
    push(chunk) {
      if (chunk.length === 0) return;
      if (facts === null) {
        if (failure === null) feed.give(chunk);
        advance();
      }
      inspect(chunk);
    },
    finish: () => inOnePiece(finishInPieces()),
  };
}

function* readMaster(
  feed: ByteFeed,
  tell: (format: MasterFormat) => void,
  keep: (document: string) => void,
  { beginDrawing, postpone }: ProbeHooks,
): Parsing<MasterFacts> {
  const sniffed = yield* sniff(feed);
  tell(sniffed.format);
  if (sniffed.kind === "raster") return yield* readRaster(feed, sniffed.format, postpone);
  const { document, facts } = yield* sniffed.reader.read(feed, sniffed.head, beginDrawing);
  keep(document);
  return facts;
}
