/**
 * Interlaced PNG: seven smaller pictures, one behind the other in the file, whose pixels are to be handed out
 * together (PNG specification, clause 8.2).
 *
 * A small picture is put together whole. Of a large one, eight rows at a time: the file comes once up to where its
 * last pass begins, inflated for nothing but to note where each pass does, with the state of the inflater there.
 * Then each pass has an inflater of its own, and they go through the file side by side. The last one, which has half
 * of the pixels, goes on with the stream; the others read theirs again.
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

/** What reading parts of the file again takes. */
interface Again {
  readAgain: ReadAgain;
  /** Continues a CRC-32 over bytes. */
  crc: (bytes: Uint8Array, before: number) => number;
}

/** @throws PngDecodeError OUT_OF_MEMORY; from `next` what reading and inflating throw */
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
    ? { batchRows: PNG_BAND_PASS_ROWS, pictureRows: PNG_BAND_ROWS, sideBySide: passes.length }
    : { batchRows, pictureRows: height, sideBySide: 1 };
  const rows = new PngRowDecoder(workspace, wasm, header, layout);
  const inflated = new InflatedData(workspace.memory, wasm, chunks, rows.meter);
  const assembly = again
    ? new SideBySide(rows, inflated, passes, again)
    : new OneAfterAnother(rows, inflated, passes, batchRows);
  return new InterlacedRows(rows, assembly);
}

/** Puts rows of the picture together where the decoder has them. */
interface Assembly {
  /** The next rows, the last of them after the file was seen to be sound. @returns how many */
  assemble(): Promise<number>;
  cancel(): void;
}

/** Hands out rows as they are put together. */
class InterlacedRows implements PngRows {
  readonly width: number;
  readonly height: number;
  readonly layout: RowSource["layout"];
  readonly #rows: PngRowDecoder;
  readonly #assembly: Assembly;
  /** Rows that lie assembled, those of them that were handed out, and those before. */
  #assembled = 0;
  #given = 0;
  #before = 0;

  constructor(rows: PngRowDecoder, assembly: Assembly) {
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

/** All passes in the order of the file, into the whole picture. */
class OneAfterAnother implements Assembly {
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

/** All passes in turns, into a few rows. */
class SideBySide implements Assembly {
  readonly #rows: PngRowDecoder;
  /** The stream of the file; that of the last pass in the end. */
  readonly #stream: InflatedData;
  readonly #passes: readonly Pass[];
  readonly #again: Again;
  /** Those of the passes before the last one. */
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

  /** Reads up to where the last pass begins, and leaves an inflater at the beginning of each before it. */
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

  /** What was read from one point to the next is enough for the pass between them. */
  #resumedAt({ place, isAtEnd }: ResumePoint, end: ResumePoint): InflatedData {
    const { memory, wasm, meter } = this.#rows;
    const { readAgain, crc } = this.#again;
    const chunks = new ChunkReader(readAgain(place.offset, end.place.offset), crc, place);
    return new InflatedData(memory, wasm, chunks, meter, isAtEnd);
  }

  async #finish(): Promise<void> {
    // A last row alone has no pixels of the last pass.
    this.#rows.wasm.chooseInflater(this.#passes.length - 1);
    await this.#stream.finish();
    this.cancel();
  }
}
