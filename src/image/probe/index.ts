import type { MasterFacts, MasterFormat } from "../master.ts";
import { readAvif } from "./avif.ts";
import { ByteFeed, type Parsing } from "./byte-feed.ts";
import { readGif } from "./gif.ts";
import { readJpeg } from "./jpeg.ts";
import { readPng } from "./png.ts";
import { sniff } from "./sniff.ts";
import { readWebp } from "./webp.ts";

export { InvalidImageError, UnsupportedMediaError } from "./errors.ts";

/**
 * Reads a file as it passes by and says what it is. It holds a few KB of it at most, or the item tables of an
 * AVIF (up to 1 MB); its work grows with the length of the file and nothing else.
 */
export interface Probe {
  /** The kind, once the first bytes have told it; null before. */
  readonly format: MasterFormat | null;
  /**
   * Takes the next bytes of the file, of any number; the chunk may be reused or transferred afterwards.
   * @throws UnsupportedMediaError | InvalidImageError as soon as it can be known, and again from then on
   */
  push(chunk: Uint8Array): void;
  /**
   * The file has ended.
   * @throws UnsupportedMediaError | InvalidImageError for a truncated file among others
   */
  finish(): MasterFacts;
}

export function createProbe(): Probe {
  const feed = new ByteFeed();
  let format: MasterFormat | null = null;
  const parsing = readMaster(feed, (told) => (format = told));
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

function* readMaster(feed: ByteFeed, tell: (format: MasterFormat) => void): Parsing<MasterFacts> {
  const kind = yield* sniff(feed);
  tell(kind === "isobmff" ? "avif" : kind);
  switch (kind) {
    case "jpeg":
      return yield* readJpeg(feed);
    case "png":
      return yield* readPng(feed);
    case "gif":
      return yield* readGif(feed);
    case "webp":
      return yield* readWebp(feed);
    case "isobmff":
      return yield* readAvif(feed);
  }
}
