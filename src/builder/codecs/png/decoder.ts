/** PNG masters in rows: chunks as they arrive, inflated and unfiltered in WebAssembly. */
import type { PngFacts } from "../../../image/model/facts.ts";
import { PNG_SCRATCH_BYTES, pngRowsPerBatch } from "../../../image/formats/png/memory.ts";
import { ChunkReader } from "./chunks.ts";
import { PngDecodeError } from "./errors.ts";
import { type PngHeader, readHeader } from "./header.ts";
import { InflatedData, type ReadAgain } from "./inflated.ts";
import { interlacedRows } from "./interlaced.ts";
import { crcOf, instantiatePng, type PngModule } from "./module.ts";
import { filteredRowBytes, PngRowDecoder } from "./row-decoder.ts";
import type { RowSource } from "../../pixels/row-source.ts";

export { PngDecodeError, type PngErrorCode } from "./errors.ts";

export interface PngRows extends RowSource {
  /** Bytes of WebAssembly memory that it takes, from the first row to the last. */
  readonly memoryBytes: number;
  /** Lets go of the stream when no more rows are wanted. */
  cancel(): void;
}

/**
 * Decodes a PNG to 8 bits a sample: gray, gray-alpha, rgb or rgba by its colour type and tRNS. Reads up to the
 * first pixels before it returns; the rest as rows are asked for. Of an animated PNG the default image. The
 * last rows come only after the whole file was seen to be sound.
 *
 * @param memory zero-filled and this call's alone until the last row was read
 * @param body the file; what it yields must keep its content until the next is asked for
 * @param facts what the probe learned; a file that says otherwise is CORRUPT
 * @param turn gives the event loop a turn
 * @param readAgain with it, an interlaced picture is decoded with its passes side by side; without, it is held whole
 * @throws PngDecodeError here or from `next`
 */
export async function decodePng(
  memory: WebAssembly.Memory,
  body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  facts: PngFacts,
  turn: () => Promise<void>,
  readAgain?: ReadAgain,
): Promise<PngRows> {
  const wasm = instantiatePng(memory);
  if (!wasm.prepare(PNG_SCRATCH_BYTES)) {
    throw new PngDecodeError("OUT_OF_MEMORY", "There is no memory for its chunks");
  }
  const crc = (bytes: Uint8Array, before: number): number => crcOf(wasm, memory, bytes, before);
  const chunks = new ChunkReader(body, crc);
  try {
    const header = await readHeader(chunks);
    if (
      header.width !== facts.codedWidth ||
      header.height !== facts.codedHeight ||
      header.bitDepth !== facts.bitDepth ||
      header.colourType !== facts.colourType ||
      header.interlaced !== facts.interlaced
    ) {
      throw new PngDecodeError("CORRUPT", "It is not the picture that was probed");
    }
    if (!header.interlaced) return new SequentialRows(memory, wasm, chunks, header, turn);
    const again = readAgain && { readAgain, crc };
    return interlacedRows(memory, wasm, chunks, header, turn, again);
  } catch (error) {
    chunks.cancel();
    throw error;
  }
}

/** Of a picture that is not interlaced. */
class SequentialRows implements PngRows {
  readonly width: number;
  readonly height: number;
  readonly #rows: PngRowDecoder;
  readonly #inflated: InflatedData;
  readonly #batchRows: number;
  #rowsGiven = 0;

  constructor(
    memory: WebAssembly.Memory,
    wasm: PngModule,
    chunks: ChunkReader,
    header: PngHeader,
    turn: () => Promise<void>,
  ) {
    const { width, height } = header;
    this.width = width;
    this.height = height;
    this.#batchRows = pngRowsPerBatch(filteredRowBytes(header, width), height);
    const layout = { batchRows: this.#batchRows, pictureRows: 0, sideBySide: 1 };
    this.#rows = new PngRowDecoder(memory, wasm, header, layout, turn);
    this.#inflated = new InflatedData(memory, wasm, chunks, this.#rows.meter);
    wasm.startPass(width, 0, 0, 1, 1);
  }

  get layout(): RowSource["layout"] {
    return this.#rows.layout;
  }

  get memoryBytes(): number {
    return this.#rows.memoryBytes;
  }

  async next(): Promise<Uint8Array | null> {
    if (this.#rowsGiven === this.height) return null;
    const { memory, wasm, channels } = this.#rows;
    const count = Math.min(this.#batchRows, this.height - this.#rowsGiven);
    try {
      await this.#rows.decode(this.#inflated, count, this.width);
      this.#rowsGiven += count;
      if (this.#rowsGiven === this.height) await this.#inflated.finish();
    } catch (error) {
      this.cancel();
      throw error;
    }
    return new Uint8Array(memory.buffer, wasm.rowsAddress(), count * this.width * channels);
  }

  cancel(): void {
    this.#inflated.cancel();
  }
}
