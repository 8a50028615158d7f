/** Lanczos3 on rows: the picture at another size, never whole in memory. */
import module from "../wasm/resampler.wasm";
import { HORIZONTAL_TAP_MULTIPLE, VERTICAL_TAP_MULTIPLE } from "../../image/memory/filter-constants.ts";
import { axisOf } from "../../image/memory/resampler.ts";
import { CHANNELS_OF, type RowLayout, rowsPerBatch } from "../../image/memory/rows.ts";
import type { RowSource } from "./row-source.ts";
import { RowMemoryError, RowShortageError } from "../scheduling/row-errors.ts";
import type { RowWorkspace } from "../scheduling/row-workspace.ts";
import type { WorkMeter } from "../scheduling/work-meter.ts";
import type { Size } from "../../image/geometry/size.ts";
import { wholePages } from "../../image/memory/pages.ts";

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

/** Bytes of the source per feed: at least one row. */
const stagedRowsOf = rowsPerBatch;

/**
 * Returns the rows of `source` at the size `out`, by Lanczos3: aligned at the centre, and widened by the ratio when the
 * picture becomes smaller. Colour is multiplied by alpha for the filter. A source of that size already is returned
 * unchanged.
 *
 * From a ratio of 4 on, pixels are averaged in boxes first, to no less than twice the target size, as
 * libvips does; the sample grid stays exact.
 *
 * @throws RowMemoryError when the memory may not grow to `resamplerPeakBytes`
 */
export function resampleRows(workspace: RowWorkspace, source: RowSource, out: Size): RowSource {
  if (source.width === out.width && source.height === out.height) return source;
  const rows = new ResampledRows(workspace, source, out);
  workspace.counted?.(rows.memoryBytes);
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

  constructor({ memory, work }: RowWorkspace, source: RowSource, out: Size) {
    this.width = out.width;
    this.height = out.height;
    this.layout = source.layout;
    this.#memory = memory;
    this.#source = source;
    this.#meter = work;
    this.#wasm = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
    const channels = CHANNELS_OF[source.layout];
    const x = axisOf(source.width, out.width, HORIZONTAL_TAP_MULTIPLE);
    const y = axisOf(source.height, out.height, VERTICAL_TAP_MULTIPLE);
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
    if (!fits)
      throw new RowMemoryError(
        "resample",
        `Resampling to ${out.width} x ${out.height} does not fit its memory`,
      );
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

  /** Copies the next rows of the source into staging, as many as it holds. */
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
