/** Decodes lossless WebP in rows, as the file arrives: the JavaScript side of assembly/lossless-decoder. */
import { webpBatchRows, webpLosslessReserveBytes } from "../../../../image/formats/webp/decoder-memory.ts";
import { CHANNELS_OF } from "../../../../image/memory/rows.ts";
import type { RowWorkspace } from "../../../scheduling/row-workspace.ts";
import type { ParsedStream } from "../../../streams/parsed-stream.ts";
import type { LosslessPicture } from "./still.ts";
import type { WebpRowSource } from "../decoder.ts";
import { faultOf, HEAD_STEP_WORK, newWebpDecoder, type WebpDecoderModule } from "../decoder-module.ts";
import { NEED_INPUT, WORKING } from "../decoder-status.ts";

/** Work units per pixel. */
const PIXEL_WORK = 14;

/** The content of a chunk, which goes into the decoder piece by piece. */
class Input {
  readonly #memory: WebAssembly.Memory;
  readonly #decoder: WebpDecoderModule;
  readonly #stream: ParsedStream;
  #left: number;

  constructor(memory: WebAssembly.Memory, decoder: WebpDecoderModule, stream: ParsedStream, bytes: number) {
    this.#memory = memory;
    this.#decoder = decoder;
    this.#stream = stream;
    this.#left = bytes;
  }

  /** @throws InvalidImageError when the file ends within the chunk */
  async more(): Promise<void> {
    if (this.#left === 0) {
      this.#decoder.endInput();
      return;
    }
    const window = await this.#stream.run(this.#stream.feed.window("WebP chunk VP8L"));
    const address = this.#decoder.inputAddress();
    const bytes = Math.min(window.length, this.#decoder.inputRoom(), this.#left);
    new Uint8Array(this.#memory.buffer, address, bytes).set(window.subarray(0, bytes));
    this.#stream.feed.drop(bytes);
    this.#decoder.addInput(bytes);
    this.#left -= bytes;
  }
}

/**
 * Decodes the picture.
 * @throws SourceLost | InvalidImageError when its chunk does not arrive whole
 * @throws WebpDecodeError here, or from `next()`, which throws what `end` of the picture does
 */
export async function decodeVp8l(
  workspace: RowWorkspace,
  { stream, bytes, frame: { width, height }, end }: LosslessPicture,
  hasAlpha: boolean,
): Promise<WebpRowSource> {
  const layout = hasAlpha ? "rgba" : "rgb";
  const rowBytes = width * CHANNELS_OF[layout];
  const { memory, work } = workspace;
  const decoder = newWebpDecoder(workspace);
  const reserveBytes = webpLosslessReserveBytes({ width, height });
  const batchRows = webpBatchRows({ width, height }, layout);
  const fault = decoder.openLossless(width, height, reserveBytes, CHANNELS_OF[layout], batchRows);
  if (fault < 0) throw faultOf(fault);
  const input = new Input(memory, decoder, stream, bytes);
  for (let status = decoder.readHead(); status !== 0; status = decoder.readHead()) {
    if (status === NEED_INPUT) await input.more();
    else if (status !== WORKING) throw faultOf(status);
    else await work.spend(HEAD_STEP_WORK);
  }
  let given = 0;
  return {
    width,
    height,
    layout,
    peakBytes: () => decoder.highWater(),
    async next() {
      if (given === height) return null;
      let count = decoder.decodeRows();
      for (; count === NEED_INPUT; count = decoder.decodeRows()) await input.more();
      if (count < 0) throw faultOf(count);
      given += count;
      await work.spend(count * width * PIXEL_WORK);
      if (given === height) await end();
      return new Uint8Array(memory.buffer, decoder.losslessRowsAddress(), count * rowBytes);
    },
  };
}
