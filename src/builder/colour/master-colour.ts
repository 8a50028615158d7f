/** A master's colours on their way to sRGB: what it says of them is read as it streams past, and acted on in rows. */
import type { MasterFacts } from "../../image/model/facts.ts";
import { ByteFeed, type Parsing } from "../../image/bytes/byte-feed.ts";
import type { Tally } from "../memory/memory-budget.ts";
import type { RowSource } from "../pixels/row-source.ts";
import type { Turn } from "../scheduling/turn.ts";
import { meaningOf } from "./code-points.ts";
import { type Conversion, conversionFor } from "./conversion.ts";
import { type Meaning, readProfile } from "./icc-profile.ts";
import { inflateProfile } from "./png-profile.ts";
import { press } from "./default-cmyk.ts";
import { type Statement, STATEMENTS } from "./colour-metadata.ts";

const CHANNELS = { gray: 1, "gray-alpha": 1, rgb: 3, rgba: 3, cmyk: 4 } as const;

export class MasterColour {
  readonly #facts: MasterFacts;
  readonly #tally: Tally;
  readonly #turn: Turn;
  #statement: Statement = {};
  /** Null for none, undefined as long as it is not known. All rows of a build have one layout. */
  #conversion: Conversion | null | undefined;
  #profileBytes = 0;

  constructor(facts: MasterFacts, tally: Tally, turn: Turn) {
    this.#facts = facts;
    this.#tally = tally;
    this.#turn = turn;
  }

  /** The master as it was. What it says is known as soon as a decoder has read on to the pixels. */
  watch(master: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const parser = STATEMENTS[this.#facts.format];
    if (this.#facts.profile === "none" || !parser) return master;
    const feed = new ByteFeed();
    let parsing: Parsing<Statement> | null = parser(feed);
    const notice = (chunk: Uint8Array): void => {
      if (!parsing) return;
      feed.give(chunk);
      try {
        const step = parsing.next();
        if (!step.done) return;
        this.#statement = step.value;
      } catch {
        // What is broken here has passed the probe or the decoder finds it; without a statement it is sRGB.
      }
      parsing = null;
    };
    return noticed(master, notice);
  }

  /** Rows in sRGB. Those of a profile that is broken, or not for such rows, are taken for sRGB, as libvips does. */
  toSrgb(source: RowSource): RowSource {
    const { profile } = this.#facts;
    if (profile === "none" && source.layout !== "cmyk") return source;
    const { width, height, layout } = source;
    return {
      width,
      height,
      layout: layout === "cmyk" ? "rgb" : layout,
      next: async () => {
        const rows = await source.next();
        if (!rows) return null;
        // Only now has every decoder come as far as the pixels.
        if (this.#conversion === undefined) this.#conversion = await this.#find(layout);
        const conversion = this.#conversion;
        return conversion ? rows.subarray(0, conversion.convert(rows)) : rows;
      },
    };
  }

  async #find(layout: RowSource["layout"]): Promise<Conversion | null> {
    const meaning = await this.#meaning(this.#facts.colour === "gray" ? 1 : CHANNELS[layout]);
    this.#statement = {};
    const conversion = (meaning && conversionFor(meaning, layout)) ?? (layout === "cmyk" ? press() : null);
    const tableBytes = conversion?.bytes ?? 0;
    // The tables are laid from the profile, which is let go then.
    this.#tally.set("colour", this.#profileBytes + tableBytes);
    this.#tally.set("colour", tableBytes);
    return conversion;
  }

  async #meaning(channels: 1 | 3 | 4): Promise<Meaning | null> {
    const { icc, iccChunk, codePoints } = this.#statement;
    if (this.#facts.profile === "cicp") return codePoints ? meaningOf(codePoints) : null;
    const profile = icc ?? (iccChunk && (await inflateProfile(iccChunk, this.#turn)));
    if (!profile) return null;
    this.#tally.set("colour", profile.length + (iccChunk?.length ?? 0));
    this.#profileBytes = profile.length;
    return readProfile(profile, channels);
  }
}

function noticed(
  master: ReadableStream<Uint8Array>,
  notice: (chunk: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  const reader = master.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        notice(value);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
