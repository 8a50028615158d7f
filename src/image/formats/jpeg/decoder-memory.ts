/**
 * How the JPEG decoder spends memory: which DCT scale each component is read at, and the arena bytes that takes.
 * Pure, without the module itself, so that a plan can ask. The sums are those of layout.ts and
 * lanczos.ts in the builder's assembly folders; a test compares them with the module's own count.
 */
import type { JpegFacts } from "../../model/facts.ts";
import { isLuma, type JpegFrame, probedFrame } from "./decoder-frame.ts";
import type { Size } from "../../model/size.ts";
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
  /** Samples of the component's picture at its scale. */
  width: number;
  height: number;
  stride: number;
  bandRows: number;
  /** First row and end of the rows under each output row. */
  first: (y: number) => number;
  end: (y: number) => number;
  taps: { horizontal: number; vertical: number };
  isResampled: boolean;
}

function tapsFor(step: number, multiple: number): number {
  if (step === 1) return 1;
  const taps = Math.ceil(2 * LOBES * Math.max(step, 1)) + 1;
  return Math.ceil(taps / multiple) * multiple;
}

function firstInput(output: number, step: number, inputs: number): number {
  if (step === 1) return Math.min(output, inputs - 1);
  const low = Math.ceil((output + 0.5) * step - 0.5 - LOBES * Math.max(step, 1));
  return Math.min(Math.max(low, 0), inputs - 1);
}

function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Bytes of the frame's buffers at these sizes; the order of the sums is that of layout.ts. */
function bytesAt(frame: JpegFrame, out: Size, sizes: readonly BlockSize[]): number {
  const maxH = Math.max(...frame.components.map(({ h }) => h));
  const maxV = Math.max(...frame.components.map(({ v }) => v));
  const mcusWide = Math.ceil(frame.width / (8 * maxH));
  const mcusHigh = Math.ceil(frame.height / (8 * maxV));
  const fullSize =
    out.width === frame.width && out.height === frame.height && sizes.every((size) => size === 8);
  let bytes = FIXED_BYTES;
  const add = (count: number): void => {
    bytes = align(bytes) + count;
  };

  const seen = new Set<string>();
  const layouts = frame.components.map(({ h, v }, index): Layout => {
    const size = sizes[index] ?? 8;
    const width = Math.ceil((frame.width * h * size) / (8 * maxH));
    const height = Math.ceil((frame.height * v * size) / (8 * maxV));
    const twiceWide = h * 2 === maxH;
    const twiceHigh = v * 2 === maxV;
    const isTall = twiceHigh && (h === maxH || (twiceWide && width > 2));
    const isWhole = maxH % h === 0 && maxV % v === 0;
    const isResampled = !fullSize || (h === maxH && v === maxV) || !isWhole;
    const layout: Layout = {
      width,
      height,
      stride: align(mcusWide * h * size) + ROW_PADDING,
      bandRows: v * size,
      first: (y) => Math.max(Math.floor((y * v) / maxV) - (isTall ? 1 : 0), 0),
      end: (y) => Math.min(Math.floor((y * v) / maxV) + (isTall ? 2 : 1), height),
      taps: { horizontal: 1, vertical: 1 },
      isResampled,
    };
    if (isResampled) {
      const across = (frame.width * h * size) / (8 * maxH) / out.width;
      const down = (frame.height * v * size) / (8 * maxV) / out.height;
      const horizontal = tapsFor(across, HORIZONTAL_TAP_MULTIPLE);
      const vertical = tapsFor(down, VERTICAL_TAP_MULTIPLE);
      layout.taps = { horizontal, vertical };
      layout.first = (y) => firstInput(y, down, height);
      layout.end = (y) => Math.min(firstInput(y, down, height) + vertical, height);
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

  const rings = ringRows(layouts, out.height, frame, mcusHigh);
  layouts.forEach((layout, index) => {
    const { v } = frame.components[index] ?? { v: 1 };
    add(layout.stride * (rings[index] ?? 0) + ROW_PADDING);
    add((layout.stride + layout.taps.horizontal + 2 * ROW_PADDING) * 2);
    add((out.width + 2 * ROW_PADDING) * 2);
    if (frame.storage !== "coefficients") return;
    const size = sizes[index] ?? 8;
    const blocks = mcusWide * (frame.components[index]?.h ?? 1) * mcusHigh * v;
    add(blocks * size * size * 2);
    if (size > 1) add(blocks * HISTORY_BYTES);
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
  mcusHigh: number,
): number[] {
  if (storage === "planes") return layouts.map(({ bandRows }) => mcusHigh * bandRows);
  const rings = layouts.map(({ bandRows }) => bandRows);
  for (let y = 0; y < outHeight; y++) {
    const bands = Math.max(1, ...layouts.map(({ end, bandRows }) => Math.ceil(end(y) / bandRows)));
    const skipped = Math.min(...layouts.map(({ first, bandRows }) => Math.floor(first(y) / bandRows)));
    layouts.forEach(({ first, end, bandRows }, index) => {
      const rows = isUpwards ? end(y) - skipped * bandRows : bands * bandRows - first(y);
      const held = Math.ceil(rows / bandRows) * bandRows;
      rings[index] = Math.max(rings[index] ?? 0, held);
    });
  }
  return rings;
}

/** The smallest size that keeps `times` the output's resolution in a component, at most 8. */
function sizeFor(frame: JpegFrame, out: Size, index: number, times: number): BlockSize {
  const maxH = Math.max(...frame.components.map(({ h }) => h));
  const maxV = Math.max(...frame.components.map(({ v }) => v));
  const { h, v } = frame.components[index] ?? { h: 1, v: 1 };
  const enough = (size: BlockSize): boolean =>
    (frame.width * h * size) / (8 * maxH) >= out.width * times &&
    (frame.height * v * size) / (8 * maxV) >= out.height * times;
  return SIZES.find(enough) ?? 8;
}

/**
 * Chooses the sizes: twice the output where the budget allows, then less chroma, then less luma. The last resorts
 * lie below the output size and are enlarged: large progressive files with little memory.
 * @returns the first choice within the budget, or null when not even the smallest fits
 */
export function planJpegDecode(frame: JpegFrame, out: Size, budget: number): JpegPlan | null {
  const count = frame.components.length;
  const best = Array.from({ length: count }, (_, index) =>
    sizeFor(frame, out, index, isLuma(index) ? LUMA_OVERSAMPLING : CHROMA_OVERSAMPLING),
  );
  const halved = (size: BlockSize, times: number): BlockSize => Math.max(1, size >> times) as BlockSize;
  for (let lumaSteps = 0; lumaSteps < SIZES.length; lumaSteps++) {
    for (let chromaSteps = lumaSteps; chromaSteps <= lumaSteps + 1; chromaSteps++) {
      const sizes = best.map((size, index) => halved(size, isLuma(index) ? lumaSteps : chromaSteps));
      const bytes = bytesAt(frame, out, sizes) + STATIC_BYTES;
      if (bytes <= budget) return { sizes, bytes };
    }
  }
  return null;
}

/**
 * The arena bytes that decoding takes, and the samples per block side of each component; bytes are Infinity when
 * no scale fits the budget. The compressed file is streamed and counts nothing.
 * @param out of the rows as they are handed out
 */
export function jpegDecoderPeakBytes(
  facts: JpegFacts,
  out: Size,
  budget: number,
): { bytes: number; sizes: BlockSize[] } {
  return planJpegDecode(probedFrame(facts), out, budget) ?? { bytes: Infinity, sizes: [] };
}
