/** Takes the rows of a picture that is encoded as PNG, and has the module filter them in batches. */
import type { PngEffort } from "../../../image/formats/png/encoder-options.ts";
import {
  PNG_ENCODER_BATCH_BYTES,
  PNG_IDAT_BYTES,
  PNG_SCRATCH_BYTES,
  pngHeldRows,
} from "../../../image/formats/png/memory.ts";
import { CHANNELS_OF, rowsPerBatch } from "../../../image/memory/rows.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import { RowMemoryError, RowShortageError } from "../../scheduling/row-errors.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import type { PngModule } from "./module.ts";

/** Work units per byte of rows: filtering and deflating a photograph. */
const WORK_PER_BYTE: Record<PngEffort, number> = { quick: 70, thorough: 125 };
/** Work units per byte of rows: looking up the colour of each pixel. */
const HOLDING_WORK_PER_BYTE = 4;
const NONE = new Uint8Array();

export class FilteredRows {
  readonly #memory: WebAssembly.Memory;
  readonly #wasm: PngModule;
  readonly #source: RowSource;
  readonly #meter: WorkMeter;
  readonly #rowBytes: number;
  readonly #batchRows: number;
  readonly #workPerByte: number;
  /** Rows that the source gave and that were neither held nor filtered. */
  #rows: Uint8Array = NONE;
  #rowsLeft: number;
  /** Held rows that were filtered. */
  #heldRowsTaken = 0;

  /** @throws RowMemoryError when the memory is too small */
  constructor(
    memory: WebAssembly.Memory,
    wasm: PngModule,
    source: RowSource,
    meter: WorkMeter,
    effort: PngEffort,
  ) {
    const channels = CHANNELS_OF[source.layout];
    this.#memory = memory;
    this.#wasm = wasm;
    this.#source = source;
    this.#meter = meter;
    this.#rowBytes = source.width * channels;
    this.#rowsLeft = source.height;
    this.#workPerByte = WORK_PER_BYTE[effort];
    this.#batchRows = rowsPerBatch(this.#rowBytes, source.height, PNG_ENCODER_BATCH_BYTES);
    const heldRows = pngHeldRows(source);
    const isQuick = Number(effort === "quick");
    if (
      !wasm.prepare(PNG_SCRATCH_BYTES) ||
      !wasm.configureEncoder(source.width, channels, this.#batchRows, PNG_IDAT_BYTES, heldRows, isQuick)
    ) {
      throw new RowMemoryError("encode", "The rows of a PNG do not fit the memory given");
    }
  }

  /**
   * Reads rows until there are too many colours to reduce the picture, which a photograph has after a few rows.
   *
   * @returns whether the picture is reduced. If not, the rows that were read are filtered as they were.
   * @throws RowShortageError when the source ends early
   */
  async reduce(): Promise<boolean> {
    if (pngHeldRows(this.#source) === 0) return false;
    while (this.#rowsLeft > 0) {
      const bytes = await this.#fill();
      await this.#meter.spend(HOLDING_WORK_PER_BYTE * bytes);
      const count = bytes / this.#rowBytes;
      const held = this.#wasm.holdRows(count);
      this.#drop(held);
      if (held < count) return false;
    }
    return this.#wasm.reduceRows() !== 0;
  }

  /** Whether no rows are left. */
  get isAtEnd(): boolean {
    return this.#rowsLeft === 0 && this.#heldRowsTaken === this.#wasm.rowsHeld();
  }

  /**
   * Filters the next batch of rows.
   *
   * @returns false when there was none
   * @throws RowShortageError when the source ends early
   */
  async next(): Promise<boolean> {
    if (this.isAtEnd) return false;
    const held = Math.min(this.#wasm.rowsHeld() - this.#heldRowsTaken, this.#batchRows);
    const count = Math.min(held + this.#rowsLeft, this.#batchRows);
    // Deflating is counted here, before the caller does it.
    await this.#meter.spend(this.#workPerByte * count * this.#rowBytes);
    this.#wasm.takeHeldRows(this.#heldRowsTaken, held);
    this.#heldRowsTaken += held;
    for (let rows = held; rows < count;) {
      const added = (await this.#fill(rows)) / this.#rowBytes;
      this.#drop(added);
      rows += added;
    }
    this.#wasm.addFiltered(this.#wasm.filterRows(count));
    return true;
  }

  /** Copies the next rows into the module, after the first `rows` of the batch. @returns how many bytes */
  async #fill(rows = 0): Promise<number> {
    if (this.#rows.length === 0) {
      const next = await this.#source.next();
      if (!next) throw new RowShortageError("The picture to be encoded ended before its last row");
      this.#rows = next;
    }
    const room = Math.min(this.#batchRows - rows, this.#rowsLeft);
    const bytes = Math.min(this.#rows.length, room * this.#rowBytes);
    const at = this.#wasm.sourceAddress() + rows * this.#rowBytes;
    new Uint8Array(this.#memory.buffer, at, bytes).set(this.#rows.subarray(0, bytes));
    return bytes;
  }

  #drop(rows: number): void {
    this.#rows = this.#rows.subarray(rows * this.#rowBytes);
    this.#rowsLeft -= rows;
  }
}
