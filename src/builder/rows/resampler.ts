/** Lanczos3 on rows: the picture at another size, never whole in memory. */
import module from "../wasm/resampler.wasm";
import type { RowSource } from "./row-source.ts";
import {
  CHANNELS_OF,
  RowMemoryError,
  rowsPerBatch,
  RowShortageError,
  wholePages,
  WorkMeter,
} from "./row-work.ts";

type Layout = RowSource["layout"];
interface Size {
  readonly width: number;
  readonly height: number;
}

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

/** The tallest box whose column sums fit 16 bits. */
const LARGEST_BOX = 256;
/** Lobes of Lanczos3 on each side. */
const LOBES = 3;
/** Static data and the two filter descriptions of the module, rounded up. */
const MODULE_BYTES = 2_048;
const SLACK = 64;
/** What a feed brings of the source, in bytes: at least a row. */
const stagedRowsOf = rowsPerBatch;

/** Source pixels averaged to one before the filter: what leaves it at least twice the target size. */
function boxFor(source: number, out: number): number {
  return Math.max(1, Math.min(LARGEST_BOX, Math.floor(source / (2 * out))));
}

function align(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}

interface Axis {
  /** Source pixels to a box, boxes to the line, and taps of the filter over the boxes. */
  box: number;
  length: number;
  taps: number;
}

function axisOf(source: number, out: number, tapMultiple: number): Axis {
  const box = boxFor(source, out);
  const length = Math.ceil(source / box);
  const step = source / (box * out);
  if (step === 1 && length === out) return { box, length, taps: 1 };
  const taps = Math.ceil(2 * LOBES * Math.max(step, 1)) + 1;
  return { box, length, taps: Math.ceil(taps / tapMultiple) * tapMultiple };
}

/**
 * Bytes of WebAssembly memory that resampling takes, exact to a page; 0 for equal sizes. They follow the
 * width of the boxes (at least twice the target) and not the height of the source.
 */
export function resamplerPeakBytes(source: Size & { readonly layout: Layout }, out: Size): number {
  if (source.width === out.width && source.height === out.height) return 0;
  const channels = CHANNELS_OF[source.layout];
  const x = axisOf(source.width, out.width, 8);
  const y = axisOf(source.height, out.height, 2);
  const rowBytes = source.width * channels;
  const boxBytes = x.length * channels;
  const outBytes = out.width * channels;
  const plane = align(2 * (x.length + x.taps + 16));
  const blocks = [
    4 * out.width,
    2 * out.width * x.taps,
    8 * x.taps,
    4 * out.height,
    2 * out.height * y.taps,
    8 * y.taps,
    stagedRowsOf(rowBytes, source.height) * rowBytes + SLACK,
    x.box * y.box > 1 ? 2 * rowBytes + SLACK : 0,
    Math.min(y.taps, y.length) * align(boxBytes + 16),
    4 * y.taps,
    channels === 1 ? plane : 2 * boxBytes + SLACK,
    channels === 1 ? 0 : channels * plane,
    channels * align(2 * (out.width + 16)),
    rowsPerBatch(outBytes, out.height) * outBytes + SLACK,
  ];
  return wholePages(blocks.reduce((sum, bytes) => sum + align(bytes), MODULE_BYTES));
}

/**
 * The rows of `source` at the size `out`: Lanczos3, centre-aligned, widened by the ratio when it becomes
 * smaller, with alpha layouts multiplied by their alpha for the filter. Equal sizes pass the source through.
 *
 * From a ratio of 4 on, pixels are averaged in boxes first, to no less than twice the target size, as
 * libvips does; the sample grid stays exact.
 *
 * @param memory zero-filled and this call's alone until the last row was read
 * @param turn gives the event loop a turn; called at least every some ten milliseconds of work
 * @throws RowMemoryError when the memory may not grow to `resamplerPeakBytes`
 */
export function resampleRows(
  memory: WebAssembly.Memory,
  source: RowSource,
  out: Size,
  turn: () => Promise<void>,
): RowSource {
  if (source.width === out.width && source.height === out.height) return source;
  return new ResampledRows(memory, source, out, turn);
}

class ResampledRows implements RowSource {
  readonly width: number;
  readonly height: number;
  readonly layout: Layout;
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
