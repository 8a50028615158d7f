/** Decodes PNG masters in rows: chunks are read as they arrive, inflated and unfiltered in WebAssembly. */
import type { PngFacts } from "../../../image/model/facts.ts";
import { PNG_SCRATCH_BYTES, pngRowsPerBatch } from "../../../image/formats/png/memory.ts";
import { ChunkReader } from "./chunks.ts";
import { PngDecodeError } from "./errors.ts";
import { type PngHeader, readHeader } from "./header.ts";
import { InflatedData } from "./inflated.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import type { ReadAgain } from "../../streams/range-reader.ts";
import { interlacedRows } from "./interlaced.ts";
import { crcOf, instantiatePng, type PngModule } from "./module.ts";
import { filteredRowBytes, PngRowDecoder } from "./row-decoder.ts";
import type { PngRows } from "./png-rows.ts";
import type { RowSource } from "../../pixels/row-source.ts";

export { PngDecodeError, type PngErrorCode } from "./errors.ts";

/**
 * Decodes a PNG to 8 bits per sample: gray, gray-alpha, rgb or rgba by its colour type and tRNS. Reads up to the
 * first pixels before it returns, and the rest as rows are read. Of an animated PNG, it decodes the default image.
 * The last rows are handed out only after the whole file was read and found sound.
 *
 * @param body the file; a chunk must keep its content until the next one is asked for
 * @param facts what the probe found; a file that differs is CORRUPT
 * @param readAgain reads parts of the file again. With it, the passes of an interlaced picture are decoded in
 *   parallel; without it, an interlaced picture is held whole
 * @throws PngDecodeError here or from `next`
 */
export async function decodePng(
  workspace: RowWorkspace,
  body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  facts: PngFacts,
  readAgain?: ReadAgain,
): Promise<PngRows> {
  const { memory } = workspace;
  const wasm = instantiatePng(memory);
  if (!wasm.prepare(PNG_SCRATCH_BYTES)) {
    throw new PngDecodeError("OUT_OF_MEMORY", "The memory given does not hold the chunks of the PNG");
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
      throw new PngDecodeError("CORRUPT", "The picture is not the one that was probed");
    }
    if (!header.interlaced) return new SequentialRows(workspace, wasm, chunks, header);
    const again = readAgain && { readAgain, crc };
    return interlacedRows(workspace, wasm, chunks, header, again);
  } catch (error) {
    chunks.cancel();
    throw error;
  }
}

/** The rows of a picture that is not interlaced. */
class SequentialRows implements PngRows {
  readonly width: number;
  readonly height: number;
  readonly #rows: PngRowDecoder;
  readonly #inflated: InflatedData;
  readonly #batchRows: number;
  #rowsGiven = 0;

  constructor(workspace: RowWorkspace, wasm: PngModule, chunks: ChunkReader, header: PngHeader) {
    const { width, height } = header;
    this.width = width;
    this.height = height;
    this.#batchRows = pngRowsPerBatch(filteredRowBytes(header, width), height);
    const layout = { batchRows: this.#batchRows, pictureRows: 0, parallelPasses: 1 };
    this.#rows = new PngRowDecoder(workspace, wasm, header, layout);
    this.#inflated = new InflatedData(workspace.memory, wasm, chunks, this.#rows.meter);
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
