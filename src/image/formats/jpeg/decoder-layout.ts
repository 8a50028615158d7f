/**
 * The buffers that the JPEG decoder lays out for a frame, in bytes. The sums and their order are those of layout.ts and
 * lanczos.ts in the builder's assembly folders; a test compares them with the module's own count.
 */
import type { Rect, Size } from "../../geometry/size.ts";
import {
  HORIZONTAL_TAP_MULTIPLE,
  ROW_PADDING,
  VERTICAL_TAP_MULTIPLE,
} from "../../memory/filter-constants.ts";
import { firstInput, reachOf, spanOf, tapsFor } from "./decoder-axis.ts";
import { BATCH_BYTES, INBOX_BYTES, MAX_BATCH_ROWS, ROW_SLACK, WINDOW_BYTES } from "./decoder-constants.ts";
import type { BlockSize, JpegFrame } from "./decoder-frame.ts";

/** Inbox, window and Huffman tables. */
const FIXED_BYTES = INBOX_BYTES + 32 + WINDOW_BYTES + 2_624 + 32 + 8 * 20_912;
/** The module's static data below the heap. */
const STATIC_BYTES = 8_192;
const ALIGNMENT = 16;
const HISTORY_BYTES = 8;

interface Layout {
  /** Blocks that the crop needs, rounded up to whole MCUs. */
  columns: number;
  rows: number;
  stride: number;
  bandRows: number;
  /** The first input row of output row y, and the row after the last one. */
  first: (y: number) => number;
  end: (y: number) => number;
  taps: { horizontal: number; vertical: number };
  isResampled: boolean;
}

function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Returns the arena bytes of the decoder for a frame whose components are decoded at `sizes`. */
export function decoderBytes(frame: JpegFrame, crop: Rect, out: Size, sizes: readonly BlockSize[]): number {
  const maxH = Math.max(...frame.components.map(({ h }) => h));
  const maxV = Math.max(...frame.components.map(({ v }) => v));
  const mcusWide = Math.ceil(frame.width / (8 * maxH));
  const mcusHigh = Math.ceil(frame.height / (8 * maxV));
  const fullSize =
    out.width === crop.width && out.height === crop.height && sizes.every((size) => size === 8);
  let bytes = FIXED_BYTES;
  const add = (count: number): void => {
    bytes = align(bytes) + count;
  };

  const seen = new Set<string>();
  const layouts = frame.components.map(({ h, v }, index): Layout => {
    const size = sizes[index] ?? 8;
    const twiceWide = h * 2 === maxH;
    const twiceHigh = v * 2 === maxV;
    const isWide = Math.ceil((frame.width * h) / maxH) > 2;
    const isWhole = maxH % h === 0 && maxV % v === 0;
    const isResampled = !fullSize || (h === maxH && v === maxV) || !isWhole;
    const isTall = !isResampled && twiceHigh && (h === maxH || (twiceWide && isWide));
    const isDoubled = !isResampled && twiceWide && isWide && (v === maxV || twiceHigh);
    const across = reachOf(crop.left, crop.width, frame.width, h * size, maxH, isDoubled ? 1 : 0);
    const down = reachOf(crop.top, crop.height, frame.height, v * size, maxV, isTall ? 1 : 0);
    const rowOf = (y: number): number => Math.floor(((crop.top + y) * v) / maxV);
    const layout: Layout = {
      columns: across.mcus * h,
      rows: down.mcus * v,
      stride: align(across.mcus * h * size) + ROW_PADDING,
      bandRows: v * size,
      first: (y) => Math.max(rowOf(y) - (isTall ? 1 : 0), 0),
      end: (y) => (isTall ? Math.min(rowOf(y) + 2, down.end) : rowOf(y) + 1),
      taps: { horizontal: 1, vertical: 1 },
      isResampled,
    };
    if (isResampled) {
      const horizontalSpan = spanOf(crop.left, crop.width, h * size, maxH, out.width, across);
      const verticalSpan = spanOf(crop.top, crop.height, v * size, maxV, out.height, down);
      const horizontal = tapsFor(horizontalSpan, HORIZONTAL_TAP_MULTIPLE);
      const vertical = tapsFor(verticalSpan, VERTICAL_TAP_MULTIPLE);
      layout.taps = { horizontal, vertical };
      layout.first = (y) => down.begin + firstInput(y, verticalSpan);
      layout.end = (y) => Math.min(layout.first(y) + vertical, down.end);
      const shape = `${h * size} ${v * size}`;
      if (!seen.has(shape)) {
        for (const [length, taps] of [
          [out.width, horizontal],
          [out.height, vertical],
        ] as const) {
          add(length * 4);
          add(length * taps * 2);
          add(taps * 8);
        }
      }
      seen.add(shape);
    }
    add((layout.taps.vertical + 2) * 4);
    return layout;
  });

  const rings = ringRows(layouts, out.height, frame, sizes, mcusHigh);
  layouts.forEach((layout, index) => {
    const { h, v } = frame.components[index] ?? { h: 1, v: 1 };
    add(layout.stride * (rings[index] ?? 0) + ROW_PADDING);
    add((layout.stride + layout.taps.horizontal + 2 * ROW_PADDING) * 2);
    add((out.width + 2 * ROW_PADDING) * 2);
    if (frame.storage !== "coefficients") return;
    const size = sizes[index] ?? 8;
    add(layout.columns * layout.rows * size * size * 2);
    if (size > 1) add(mcusWide * h * mcusHigh * v * HISTORY_BYTES);
  });
  const rowBytes = out.width * (frame.components.length === 2 ? 3 : frame.components.length);
  const batch = Math.min(MAX_BATCH_ROWS, out.height, Math.floor(BATCH_BYTES / rowBytes));
  add(Math.max(1, batch) * rowBytes + ROW_SLACK);
  return STATIC_BYTES + bytes;
}

/**
 * Returns the rows that the ring buffer of each component must hold until all components have the rows of an output
 * row.
 */
function ringRows(
  layouts: readonly Layout[],
  outHeight: number,
  { storage, isUpwards }: JpegFrame,
  sizes: readonly BlockSize[],
  mcusHigh: number,
): number[] {
  if (storage === "planes") return layouts.map(({ rows }, index) => rows * (sizes[index] ?? 8));
  const rings = layouts.map(({ bandRows }) => bandRows);
  for (let y = 0; y < outHeight; y++) {
    let bands = 1;
    let skipped = mcusHigh - 1;
    for (const { first, end, bandRows } of layouts) {
      bands = Math.max(bands, Math.ceil(end(y) / bandRows));
      skipped = Math.min(skipped, Math.floor(first(y) / bandRows));
    }
    layouts.forEach(({ first, end, bandRows }, index) => {
      const rows = isUpwards ? end(y) - skipped * bandRows : bands * bandRows - first(y);
      const held = Math.ceil(rows / bandRows) * bandRows;
      rings[index] = Math.max(rings[index] ?? 0, held);
    });
  }
  return rings;
}
