/** Lanczos3 on rows: the picture at another size, never whole in memory. */
import module from "../wasm/resampler.wasm";
import { axisOf } from "../../image/memory/resampler.ts";
import { CHANNELS_OF, type RowLayout, rowsPerBatch, type Size, wholePages } from "../../image/memory/rows.ts";
import type { RowSource } from "./row-source.ts";
import { RowMemoryError, RowShortageError, WorkMeter } from "../scheduling/work-meter.ts";

interface Exports {
  configure(
    width: number,
    height: number,
    outWidth: number,
    outHeight: number,
    channels: number,
    hasAlpha: number,
    boxAcross: number,
    boxDown: number,
    stagedRows: number,
    batchRows: number,
  ): number;
  stagingAddress(): number;
  outputAddress(): number;
  used(): number;
  feed(rows: number): void;
  run(limit: number): number;
}

/** What a feed brings of the source, in bytes: at least a row. */
const stagedRowsOf = rowsPerBatch;

/**
 * The rows of `source` at the size `out`: Lanczos3, centre-aligned, widened by the ratio when it becomes
 * smaller, with alpha layouts multiplied by their alpha for the filter. Equal sizes pass the source through.
 *
 * From a ratio of 4 on, pixels are averaged in boxes first, to no less than twice the target size, as
 * libvips does; the sample grid stays exact.
 *
 * @param memory zero-filled and this call's alone until the last row was read
 * @param turn gives the event loop a turn; called at least every some ten milliseconds of work
 * @param counted told how many bytes of the memory are taken
 * @throws RowMemoryError when the memory may not grow to `resamplerPeakBytes`
 */
export function resampleRows(
  memory: WebAssembly.Memory,
  source: RowSource,
  out: Size,
  turn: () => Promise<void>,
  counted?: (bytes: number) => void,
): RowSource {
  if (source.width === out.width && source.height === out.height) return source;
  const rows = new ResampledRows(memory, source, out, turn);
  counted?.(rows.memoryBytes);
  return rows;
}

class ResampledRows implements RowSource {
  readonly width: number;
  readonly height: number;
  readonly layout: RowLayout;
  readonly #memory: WebAssembly.Memory;
  readonly #source: RowSource;
  readonly #meter: WorkMeter;
  readonly #wasm: Exports;
  readonly #batchRows: number;
  readonly #stagedRows: number;
  readonly #rowBytes: number;
  readonly #outBytes: number;
  /** Work of one output row, in the meter's units. */
  readonly #rowWork: number;
  #sourceRows: Uint8Array = new Uint8Array();
  #rowsMade = 0;

  constructor(memory: WebAssembly.Memory, source: RowSource, out: Size, turn: () => Promise<void>) {
    this.width = out.width;
    this.height = out.height;
    this.layout = source.layout;
    this.#memory = memory;
    this.#source = source;
    this.#meter = new WorkMeter(turn);
    this.#wasm = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
    const channels = CHANNELS_OF[source.layout];
    const x = axisOf(source.width, out.width, 8);
    const y = axisOf(source.height, out.height, 2);
    this.#rowBytes = source.width * channels;
    this.#outBytes = out.width * channels;
    this.#stagedRows = stagedRowsOf(this.#rowBytes, source.height);
    this.#batchRows = rowsPerBatch(this.#outBytes, out.height);
    this.#rowWork = (channels * (x.length * y.taps + out.width * x.taps)) / 5;
    const hasAlpha = source.layout === "rgba" || source.layout === "gray-alpha" ? 1 : 0;
    const fits = this.#wasm.configure(
      source.width,
      source.height,
      out.width,
      out.height,
      channels,
      hasAlpha,
      x.box,
      y.box,
      this.#stagedRows,
      this.#batchRows,
    );
    if (!fits) throw new RowMemoryError(`Resampling to ${out.width} x ${out.height} does not fit its memory`);
  }

  get memoryBytes(): number {
    return wholePages(this.#wasm.used());
  }

  async next(): Promise<Uint8Array | null> {
    if (this.#rowsMade === this.height) return null;
    const wanted = Math.min(this.#batchRows, this.height - this.#rowsMade);
    let made = 0;
    while (made === 0) {
      made = this.#wasm.run(wanted);
      await this.#meter.spend(made * this.#rowWork);
      if (made === 0) await this.#feed();
    }
    this.#rowsMade += made;
    return new Uint8Array(this.#memory.buffer, this.#wasm.outputAddress(), made * this.#outBytes);
  }

  /** Brings the next rows of the source, as many as staging holds. */
  async #feed(): Promise<void> {
    if (this.#sourceRows.length === 0) {
      const rows = await this.#source.next();
      if (!rows) throw new RowShortageError("The picture to be resampled ended before its last row");
      this.#sourceRows = rows;
    }
    const bytes = Math.min(this.#sourceRows.length, this.#stagedRows * this.#rowBytes);
    const staging = new Uint8Array(this.#memory.buffer, this.#wasm.stagingAddress(), bytes);
    staging.set(this.#sourceRows.subarray(0, bytes));
    this.#sourceRows = this.#sourceRows.subarray(bytes);
    this.#wasm.feed(bytes / this.#rowBytes);
    await this.#meter.spend(bytes);
  }
}
