/** Hands a file to the JPEG decoder, chunk by chunk, as the decoder asks for it. */
import type { JpegDecoderModule } from "./decoder-module.ts";
import { STANDARD_TABLES } from "../../../image/formats/jpeg/standard-tables.ts";
import { JpegDecodeError } from "./errors.ts";

export type JpegBody = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** SOI and a DHT segment before the file, whose own SOI is then skipped: its scans may use tables that it does not state. */
const KNOWN_TABLES = Uint8Array.of(
  ...[0xff, 0xd8, 0xff, 0xc4, (STANDARD_TABLES.length + 2) >> 8, (STANDARD_TABLES.length + 2) & 255],
  ...STANDARD_TABLES,
);

export class DecoderInput {
  readonly #memory: WebAssembly.Memory;
  readonly #decoder: JpegDecoderModule;
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = KNOWN_TABLES;
  #ended = false;

  constructor(memory: WebAssembly.Memory, decoder: JpegDecoderModule, body: JpegBody) {
    this.#memory = memory;
    this.#decoder = decoder;
    this.#chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  }

  /**
   * Copies as much of the file as the decoder takes, or tells it that the file has ended.
   * @throws JpegDecodeError when the decoder asks again after the end
   */
  async more(): Promise<void> {
    while (this.#rest.length === 0) {
      if (this.#ended) throw new JpegDecodeError("TRUNCATED", "The file ends before the picture does");
      const chunk = await this.#chunks.next();
      if (chunk.done === true) {
        this.#ended = true;
        this.#decoder.endInput();
        return;
      }
      this.#rest = chunk.value;
    }
    const piece = this.#rest.subarray(0, this.#decoder.inputRoom());
    new Uint8Array(this.#memory.buffer).set(piece, this.#decoder.inputAddress());
    this.#decoder.acceptInput(piece.length);
    this.#rest = this.#rest.subarray(piece.length);
  }

  /** Cancels the rest of the file: after the last row, or a fault. */
  async cancel(): Promise<void> {
    this.#rest = new Uint8Array();
    await this.#chunks.return?.();
  }
}
