/**
 * How the JPEG decoder spends memory: which DCT scale each component is read at, and the arena bytes that takes.
 * Pure, without the module itself, so that a plan can ask. The sums are those of layout.ts and
 * lanczos.ts in the builder's assembly folders; a test compares them with the module's own count.
 */
import type { JpegFacts } from "../../model/facts.ts";
import { isLuma, type JpegFrame, probedFrame } from "./decoder-frame.ts";
import type { Rect, Size } from "../../model/size.ts";
import { BATCH_BYTES, INBOX_BYTES, MAX_BATCH_ROWS, ROW_SLACK, WINDOW_BYTES } from "./decoder-constants.ts";
import {
  HORIZONTAL_TAP_MULTIPLE,
  LOBES,
  ROW_PADDING,
  VERTICAL_TAP_MULTIPLE,
} from "../../memory/filter-constants.ts";

/** Samples that a block of 8 x 8 is decoded to, a side: full size, 1/2, 1/4, 1/8. */
export type BlockSize = 8 | 4 | 2 | 1;

export interface JpegPlan {
  /** Samples per block side of each component. */
  sizes: BlockSize[];
  /** Arena bytes from the module's heap base, the fixed buffers included. */
  bytes: number;
}

/** Inbox, window and Huffman tables, and the module's static data below the heap. */
const FIXED_BYTES = INBOX_BYTES + 32 + WINDOW_BYTES + 2_624 + 32 + 8 * 20_912;
const STATIC_BYTES = 8_192;
const ALIGNMENT = 16;
const HISTORY_BYTES = 8;

/**
 * Luma read at less than twice the output size shows (a little less, or a rounded dimension would double the work);
 * chroma is coarse to begin with.
 */
const LUMA_OVERSAMPLING = 1.95;
const CHROMA_OVERSAMPLING = 1.25;

const SIZES: readonly BlockSize[] = [1, 2, 4, 8];

interface Layout {
  /** Blocks that the crop needs, in whole MCUs. */
  columns: number;
  rows: number;
  stride: number;
  bandRows: number;
  /** First row and end of the rows under each output row. */
  first: (y: number) => number;
  end: (y: number) => number;
  taps: { horizontal: number; vertical: number };
  isResampled: boolean;
}

/** A filter along one axis: input samples per output sample, where in the first one it begins, and how many there are. */
interface Span {
  step: number;
  phase: number;
  inputs: number;
}

const isCopy = ({ step, phase }: Span): boolean => step === 1 && phase === 0;

function tapsFor(span: Span, multiple: number): number {
  if (isCopy(span)) return 1;
  const { step } = span;
  const taps = Math.ceil(2 * LOBES * Math.max(step, 1)) + 1;
  return Math.ceil(taps / multiple) * multiple;
}

function firstInput(output: number, span: Span): number {
  const { step, phase, inputs } = span;
  if (isCopy(span)) return Math.min(output, inputs - 1);
  const low = Math.ceil(phase + (output + 0.5) * step - 0.5 - LOBES * Math.max(step, 1));
  return Math.min(Math.max(low, 0), inputs - 1);
}

function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Samples of a component on one axis that the crop is made of, where its blocks are `side` samples an MCU. */
interface Reach {
  begin: number;
  end: number;
  /** MCUs around them. */
  firstMcu: number;
  mcus: number;
}

/** @param margin samples beside the crop that a triangle filter looks at */
function reachOf(
  start: number,
  length: number,
  whole: number,
  side: number,
  max: number,
  margin: number,
): Reach {
  const samples = Math.ceil((whole * side) / (8 * max));
  const begin = Math.max(Math.floor((start * side) / (8 * max)) - margin, 0);
  const end = Math.min(Math.ceil(((start + length) * side) / (8 * max)) + margin, samples);
  const firstMcu = Math.floor(begin / side);
  return { begin, end, firstMcu, mcus: Math.ceil(end / side) - firstMcu };
}

const spanOf = (
  start: number,
  length: number,
  side: number,
  max: number,
  out: number,
  reach: Reach,
): Span => ({
  step: (length * side) / (8 * max) / out,
  phase: ((start * side) % (8 * max)) / (8 * max),
  inputs: reach.end - reach.begin,
});

/** Bytes of the frame's buffers at these sizes; the order of the sums is that of layout.ts. */
function bytesAt(frame: JpegFrame, crop: Rect, out: Size, sizes: readonly BlockSize[]): number {
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
  return bytes;
}

/** Rows each component must hold while the neediest one gets its own. */
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
    const bands = Math.max(1, ...layouts.map(({ end, bandRows }) => Math.ceil(end(y) / bandRows)));
    const skipped = Math.min(
      mcusHigh - 1,
      ...layouts.map(({ first, bandRows }) => Math.floor(first(y) / bandRows)),
    );
    layouts.forEach(({ first, end, bandRows }, index) => {
      const rows = isUpwards ? end(y) - skipped * bandRows : bands * bandRows - first(y);
      const held = Math.ceil(rows / bandRows) * bandRows;
      rings[index] = Math.max(rings[index] ?? 0, held);
    });
  }
  return rings;
}

/** The smallest size that keeps `times` the output's resolution in a component, at most 8. */
function sizeFor(frame: JpegFrame, crop: Size, out: Size, index: number, times: number): BlockSize {
  const maxH = Math.max(...frame.components.map(({ h }) => h));
  const maxV = Math.max(...frame.components.map(({ v }) => v));
  const { h, v } = frame.components[index] ?? { h: 1, v: 1 };
  const enough = (size: BlockSize): boolean =>
    (crop.width * h * size) / (8 * maxH) >= out.width * times &&
    (crop.height * v * size) / (8 * maxV) >= out.height * times;
  return SIZES.find(enough) ?? 8;
}

/** All of the picture. */
const wholeOf = ({ width, height }: JpegFrame): Rect => ({ left: 0, top: 0, width, height });

/**
 * Chooses the sizes: twice the output where the budget allows, then less chroma, then less luma. The last resorts
 * lie below the output size and are enlarged: large progressive files with little memory.
 * @param crop of the frame; nothing beside it is kept
 * @returns the first choice within the budget, or null when not even the smallest fits
 */
export function planJpegDecode(
  frame: JpegFrame,
  out: Size,
  budget: number,
  crop: Rect = wholeOf(frame),
): JpegPlan | null {
  const count = frame.components.length;
  const best = Array.from({ length: count }, (_, index) =>
    sizeFor(frame, crop, out, index, isLuma(index) ? LUMA_OVERSAMPLING : CHROMA_OVERSAMPLING),
  );
  const halved = (size: BlockSize, times: number): BlockSize => Math.max(1, size >> times) as BlockSize;
  for (let lumaSteps = 0; lumaSteps < SIZES.length; lumaSteps++) {
    for (let chromaSteps = lumaSteps; chromaSteps <= lumaSteps + 1; chromaSteps++) {
      const sizes = best.map((size, index) => halved(size, isLuma(index) ? lumaSteps : chromaSteps));
      const bytes = bytesAt(frame, crop, out, sizes) + STATIC_BYTES;
      if (bytes <= budget) return { sizes, bytes };
    }
  }
  return null;
}

/**
 * The arena bytes that decoding takes, and the samples per block side of each component; bytes are Infinity when
 * no scale fits the budget. The compressed file is streamed and counts nothing.
 * @param out of the rows as they are handed out
 * @param crop of the frame of those rows, before they are mirrored
 */
export function jpegDecoderPeakBytes(
  facts: JpegFacts,
  out: Size,
  budget: number,
  crop?: Rect,
): { bytes: number; sizes: BlockSize[] } {
  return planJpegDecode(probedFrame(facts), out, budget, crop) ?? { bytes: Infinity, sizes: [] };
}
