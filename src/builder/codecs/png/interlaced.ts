/**
 * Interlaced PNG (PNG specification, clause 8.2): the file has up to seven passes, each a smaller picture, one after
 * the other. Their pixels together make the rows that are handed out.
 *
 * A small picture is assembled whole. A large one is assembled eight rows at a time, with its passes decoded in
 * parallel: first the file is inflated up to the beginning of the last pass, only to note where each pass begins and
 * to fork the inflater there. Then each pass is read by an inflater of its own. The last pass, with half of the
 * pixels, continues with the stream of the file; the others read their parts of the file again.
 */
import { PNG_BAND_PASS_ROWS, PNG_BAND_ROWS, pngRowsPerBatch } from "../../../image/formats/png/memory.ts";
import { type Pass, passesOf } from "../../../image/formats/png/passes.ts";
import { ChunkReader } from "./chunks.ts";
import type { PngHeader } from "./header.ts";
import { InflatedData, type ResumePoint } from "./inflated.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import type { ReadAgain } from "../../streams/range-reader.ts";
import type { PngModule } from "./module.ts";
import { filteredRowBytes, type PngLayout, PngRowDecoder } from "./row-decoder.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import type { PngRows } from "./png-rows.ts";

/** The data for reading parts of the file again. */
interface Again {
  readAgain: ReadAgain;
  /** Continues a CRC-32 over bytes. */
  crc: (bytes: Uint8Array, before: number) => number;
}

/**
 * Returns the rows of an interlaced picture.
 * @param again if given, the passes are decoded in parallel; else the picture is held whole
 * @throws PngDecodeError OUT_OF_MEMORY; `next` throws what reading and inflating throw
 */
export function interlacedRows(
  workspace: RowWorkspace,
  wasm: PngModule,
  chunks: ChunkReader,
  header: PngHeader,
  again: Again | undefined,
): PngRows {
  const { width, height } = header;
  const passes = passesOf(width, height);
  const batchRows = pngRowsPerBatch(filteredRowBytes(header, width), height);
  const layout: PngLayout = again
    ? { batchRows: PNG_BAND_PASS_ROWS, pictureRows: PNG_BAND_ROWS, parallelPasses: passes.length }
    : { batchRows, pictureRows: height, parallelPasses: 1 };
  const rows = new PngRowDecoder(workspace, wasm, header, layout);
  const inflated = new InflatedData(workspace.memory, wasm, chunks, rows.meter);
  const assembly = again
    ? new ParallelPasses(rows, inflated, passes, again)
    : new PassesInTurn(rows, inflated, passes, batchRows);
  return new InterlacedRows(rows, assembly);
}

/** Assembles rows of the picture, from their passes, in the memory of the decoder. */
interface PictureAssembly {
  /** Assembles the next rows; the last ones only after the whole file was found sound. @returns how many */
  assemble(): Promise<number>;
  cancel(): void;
}

/** Hands out rows as they are assembled. */
class InterlacedRows implements PngRows {
  readonly width: number;
  readonly height: number;
  readonly layout: RowSource["layout"];
  readonly #rows: PngRowDecoder;
  readonly #assembly: PictureAssembly;
  /** Rows that are assembled now. */
  #assembled = 0;
  /** How many of these were handed out. */
  #given = 0;
  /** Rows that were handed out before these. */
  #before = 0;

  constructor(rows: PngRowDecoder, assembly: PictureAssembly) {
    this.width = rows.header.width;
    this.height = rows.header.height;
    this.layout = rows.layout;
    this.#rows = rows;
    this.#assembly = assembly;
  }

  get memoryBytes(): number {
    return this.#rows.memoryBytes;
  }

  async next(): Promise<Uint8Array | null> {
    if (this.#before + this.#given === this.height) return null;
    if (this.#given === this.#assembled) await this.#assemble();
    const { memory, wasm, channels } = this.#rows;
    const rowBytes = this.width * channels;
    const count = Math.min(pngRowsPerBatch(rowBytes, this.height), this.#assembled - this.#given);
    const at = wasm.pictureAddress() + this.#given * rowBytes;
    this.#given += count;
    return new Uint8Array(memory.buffer, at, count * rowBytes);
  }

  async #assemble(): Promise<void> {
    this.#before += this.#given;
    this.#given = 0;
    try {
      this.#assembled = await this.#assembly.assemble();
    } catch (error) {
      this.cancel();
      throw error;
    }
  }

  cancel(): void {
    this.#assembly.cancel();
  }
}

/** Decodes all passes one after the other, into the whole picture. */
class PassesInTurn implements PictureAssembly {
  readonly #rows: PngRowDecoder;
  readonly #inflated: InflatedData;
  readonly #passes: readonly Pass[];
  readonly #batchRows: number;

  constructor(rows: PngRowDecoder, inflated: InflatedData, passes: readonly Pass[], batchRows: number) {
    this.#rows = rows;
    this.#inflated = inflated;
    this.#passes = passes;
    this.#batchRows = batchRows;
  }

  async assemble(): Promise<number> {
    for (const { columns, rows, x, y, dx, dy } of this.#passes) {
      this.#rows.wasm.startPass(columns, x, y, dx, dy);
      for (let done = 0; done < rows;) {
        const count = Math.min(this.#batchRows, rows - done);
        await this.#rows.decode(this.#inflated, count, columns);
        done += count;
      }
    }
    await this.#inflated.finish();
    return this.#rows.header.height;
  }

  cancel(): void {
    this.#inflated.cancel();
  }
}

/** Decodes all passes in parallel, into a few rows at a time. */
class ParallelPasses implements PictureAssembly {
  readonly #rows: PngRowDecoder;
  /** The stream of the file, which the last pass continues to read. */
  readonly #stream: InflatedData;
  readonly #passes: readonly Pass[];
  readonly #again: Again;
  /** The streams of the other passes, which read parts of the file again. */
  readonly #readAgain: InflatedData[] = [];
  #from = 0;

  constructor(rows: PngRowDecoder, stream: InflatedData, passes: readonly Pass[], again: Again) {
    this.#rows = rows;
    this.#stream = stream;
    this.#passes = passes;
    this.#again = again;
  }

  async assemble(): Promise<number> {
    if (this.#from === 0) await this.#findPasses();
    const end = Math.min(this.#from + PNG_BAND_ROWS, this.#rows.header.height);
    for (const [index, { columns, x, y, dx, dy }] of this.#passes.entries()) {
      const count = Math.ceil((end - this.#from - y) / dy);
      if (count <= 0) continue;
      this.#rows.wasm.resumePass(index, columns, x, y, dx, dy);
      await this.#rows.decode(this.#readAgain[index] ?? this.#stream, count, columns);
    }
    const count = end - this.#from;
    this.#from = end;
    if (end === this.#rows.header.height) await this.#finish();
    return count;
  }

  cancel(): void {
    this.#stream.cancel();
    for (const inflated of this.#readAgain) inflated.cancel();
  }

  /** Reads up to the beginning of the last pass, and forks an inflater at the beginning of each pass before it. */
  async #findPasses(): Promise<void> {
    const { header, wasm } = this.#rows;
    const points: ResumePoint[] = [this.#stream.resumePoint];
    for (const [index, { columns, rows }] of this.#passes.slice(0, -1).entries()) {
      wasm.forkInflater(index);
      await this.#stream.skip(rows * filteredRowBytes(header, columns));
      points.push(this.#stream.resumePoint);
    }
    for (const [index, point] of points.slice(0, -1).entries()) {
      this.#readAgain.push(this.#resumedAt(point, points[index + 1]!));
    }
  }

  /** Returns the data of a pass: the part of the file that was read between its beginning and that of the next pass. */
  #resumedAt({ place, isAtEnd }: ResumePoint, end: ResumePoint): InflatedData {
    const { memory, wasm, meter } = this.#rows;
    const { readAgain, crc } = this.#again;
    const chunks = new ChunkReader(readAgain(place.offset, end.place.offset), crc, place);
    return new InflatedData(memory, wasm, chunks, meter, isAtEnd);
  }

  async #finish(): Promise<void> {
    // If the last band is a single row, the last pass had no pixels in it and its inflater is not active.
    this.#rows.wasm.chooseInflater(this.#passes.length - 1);
    await this.#stream.finish();
    this.cancel();
  }
}
