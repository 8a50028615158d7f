/** A stream read by the probe's parsers: they ask for bytes, this brings them. */
import { ByteFeed, type Parsing } from "../../image/bytes/byte-feed.ts";

export class ParsedStream {
  readonly feed = new ByteFeed();
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  /** Drives `parsing` to its result. */
  async run<T>(parsing: Parsing<T>): Promise<T> {
    for (;;) {
      const step = parsing.next();
      if (step.done) return step.value;
      const { done, value } = await this.#reader.read();
      if (done) this.feed.end();
      else this.feed.give(value);
    }
  }
}
