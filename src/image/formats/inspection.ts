/**
 * Reads what a file states beside its pixels: the rights in it, and whether its colours are wider than sRGB. An
 * inspection runs beside the probe, on the same chunks. It never refuses a file: what it cannot read is not there.
 */
import { COLOUR_PROFILE } from "../../limits.ts";
import { ByteFeed, type Parsing } from "../bytes/byte-feed.ts";
import { inflated } from "../bytes/inflate.ts";
import { isWide } from "../colour/gamut.ts";
import type { InspectedFacts, MasterFacts } from "../model/facts.ts";
import type { ColourMetadata } from "./colour-metadata.ts";
import { colourSpaceOf } from "./colour-space.ts";
import type { MetadataBlocks } from "./metadata/blocks.ts";
import { copyrightOf } from "./metadata/rights.ts";
import { readColourMetadata, readMetadata } from "./raster.ts";
import type { MasterFormat } from "./registry.ts";

/** A parser that is fed until it has what it wants. */
class Reading<T> {
  readonly #feed = new ByteFeed();
  #parsing: Parsing<T> | null;
  result: T | null = null;

  constructor(parse: (feed: ByteFeed) => Parsing<T> | null) {
    this.#parsing = parse(this.#feed);
  }

  get isDone(): boolean {
    return this.#parsing === null;
  }

  push(chunk: Uint8Array): void {
    if (this.#parsing === null) return;
    this.#feed.give(chunk);
    this.#step();
  }

  end(): void {
    this.#feed.end();
    this.#step();
  }

  #step(): void {
    if (this.#parsing === null) return;
    try {
      const step = this.#parsing.next();
      if (step.done !== true) return;
      this.result = step.value;
    } catch {
      // The probe says what is wrong with the file. What was found before stays.
    }
    this.#parsing = null;
  }
}

export class Inspection {
  readonly #blocks: MetadataBlocks = {};
  readonly #rights: Reading<void>;
  readonly #colour: Reading<ColourMetadata>;

  constructor(format: MasterFormat) {
    this.#rights = new Reading((feed) => readMetadata(feed, format, this.#blocks));
    this.#colour = new Reading((feed) => readColourMetadata(feed, format, COLOUR_PROFILE.judgedMaxBytes));
  }

  /** Whether the rest of the file does not matter. */
  get isDone(): boolean {
    return this.#rights.isDone && this.#colour.isDone;
  }

  /** Takes the next bytes of the file, from the first on. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): void {
    this.#rights.push(chunk);
    this.#colour.push(chunk);
  }

  /** Ends the file. @param facts what the probe found */
  finish(facts: MasterFacts): InspectedFacts {
    this.#rights.end();
    this.#colour.end();
    const copyright = orNull(() => copyrightOf(this.#blocks));
    const colour = this.#colour.result;
    return {
      ...(copyright && { copyright }),
      ...(colour && orNull(() => isWider(facts, colour)) && { wide: true }),
    };
  }
}

/** Returns the result, or null where metadata are damaged in a way that their readers do not know. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const CHANNELS = { gray: 1, rgb: 3, palette: 3, cmyk: 4 } as const;

/** Returns whether the colours of a master are wider than sRGB, as far as its metadata can be read. */
function isWider({ format, profile, colour }: MasterFacts, { iccChunk, ...stated }: ColourMetadata): boolean {
  const channels = CHANNELS[colour];
  if (profile === "none" || channels === 1) return false;
  const icc = stated.icc ?? (iccChunk && profileIn(iccChunk));
  const space = colourSpaceOf({ format, profile, channels }, icc ? { ...stated, icc } : stated);
  return space !== null && isWide(space, channels);
}

/** Returns the profile in an iCCP chunk: a name, a zero, a compression method, and zlib data. */
function profileIn(chunk: Uint8Array): Uint8Array | null {
  const method = chunk.indexOf(0) + 1;
  if (method === 0 || chunk[method] !== 0) return null;
  return inflated(chunk.subarray(method + 1), COLOUR_PROFILE.judgedMaxBytes);
}
