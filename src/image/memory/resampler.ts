/** The WebAssembly memory that resampling in rows takes. */
import { CHANNELS_OF, type RowLayout, rowsPerBatch } from "./rows.ts";
import type { Size } from "../geometry/size.ts";
import { HORIZONTAL_TAP_MULTIPLE, LOBES, ROW_PADDING, VERTICAL_TAP_MULTIPLE } from "./filter-constants.ts";
import { wholePages } from "./pages.ts";

/** The largest box side, in pixels, whose column sums fit 16 bits. */
const BOX_MAX_PIXELS = 256;
/** Static data of the module and its two filter descriptions, rounded up. */
const MODULE_BYTES = 2_048;
const SLACK_BYTES = 64;

/** Returns how many source pixels are averaged before the filter: as many as leave it at least twice the target size. */
function boxFor(source: number, out: number): number {
  return Math.max(1, Math.min(BOX_MAX_PIXELS, Math.floor(source / (2 * out))));
}

function align(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}

export interface Axis {
  /** Source pixels per box. */
  box: number;
  /** Boxes per line. */
  length: number;
  /** Taps of the filter, each over one box. */
  taps: number;
}

export function axisOf(source: number, out: number, tapMultiple: number): Axis {
  const box = boxFor(source, out);
  const length = Math.ceil(source / box);
  const step = source / (box * out);
  if (step === 1 && length === out) return { box, length, taps: 1 };
  const taps = Math.ceil(2 * LOBES * Math.max(step, 1)) + 1;
  return { box, length, taps: Math.ceil(taps / tapMultiple) * tapMultiple };
}

/**
 * Returns the bytes of WebAssembly memory that resampling takes, exact to a page; 0 for equal sizes. They depend on the
 * number of boxes per row, which is at least twice the target width, but not on the height of the source.
 */
export function resamplerPeakBytes(source: Size & { readonly layout: RowLayout }, out: Size): number {
  if (source.width === out.width && source.height === out.height) return 0;
  const channels = CHANNELS_OF[source.layout];
  const x = axisOf(source.width, out.width, HORIZONTAL_TAP_MULTIPLE);
  const y = axisOf(source.height, out.height, VERTICAL_TAP_MULTIPLE);
  const rowBytes = source.width * channels;
  const boxBytes = x.length * channels;
  const outBytes = out.width * channels;
  const plane = align(2 * (x.length + x.taps + ROW_PADDING));
  const blocks = [
    4 * out.width,
    2 * out.width * x.taps,
    8 * x.taps,
    4 * out.height,
    2 * out.height * y.taps,
    8 * y.taps,
    rowsPerBatch(rowBytes, source.height) * rowBytes + SLACK_BYTES,
    x.box * y.box > 1 ? 2 * rowBytes + SLACK_BYTES : 0,
    Math.min(y.taps, y.length) * align(boxBytes + ROW_PADDING),
    4 * y.taps,
    channels === 1 ? plane : 2 * boxBytes + SLACK_BYTES,
    channels === 1 ? 0 : channels * plane,
    channels * align(2 * (out.width + ROW_PADDING)),
    rowsPerBatch(outBytes, out.height) * outBytes + SLACK_BYTES,
  ];
  return wholePages(blocks.reduce((sum, bytes) => sum + align(bytes), MODULE_BYTES));
}
