/**
 * How the JPEG decoder spends memory: the DCT scale of each component, and the arena bytes that this takes. Pure, so
 * that a plan can compute it without the module.
 */
import type { JpegFacts } from "../../model/facts.ts";
import type { Rect, Size } from "../../geometry/size.ts";
import { type BlockSize, isLuma, type JpegFrame, probedFrame } from "./decoder-frame.ts";
import { decoderBytes } from "./decoder-layout.ts";

export type { BlockSize } from "./decoder-frame.ts";

export interface JpegPlan {
  /** Samples per block side of each component. */
  sizes: BlockSize[];
  /** Arena bytes of the module, its static data and fixed buffers included. */
  bytes: number;
}

/**
 * Luma is read at twice the output size, because less is visible. The factor is a little lower than 2, so that a master
 * nearly twice as wide does not double the work: a rounded side; a master of 3840 or 1920 pixels at 1000 or 500, which
 * has 1.92 times them; a crop of 5:4 from 4000 x 3000, which has 1.875 times. Chroma has less detail.
 */
const LUMA_OVERSAMPLING = 1.87;
const CHROMA_OVERSAMPLING = 1.25;

const SIZES: readonly BlockSize[] = [1, 2, 4, 8];

/** Returns the smallest size at which a component has `times` the resolution of the output; 8 if none has. */
function sizeFor(frame: JpegFrame, crop: Size, out: Size, index: number, times: number): BlockSize {
  const maxH = Math.max(...frame.components.map(({ h }) => h));
  const maxV = Math.max(...frame.components.map(({ v }) => v));
  const { h, v } = frame.components[index] ?? { h: 1, v: 1 };
  const enough = (size: BlockSize): boolean =>
    (crop.width * h * size) / (8 * maxH) >= out.width * times &&
    (crop.height * v * size) / (8 * maxV) >= out.height * times;
  return SIZES.find(enough) ?? 8;
}

/** Returns the rectangle of the whole picture. */
const wholeOf = ({ width, height }: JpegFrame): Rect => ({ left: 0, top: 0, width, height });

/**
 * Chooses the sizes: twice the output if the budget allows that, else less chroma, then less luma. Large progressive
 * files may be decoded below the output size and enlarged.
 * @param budget in arena bytes
 * @param crop the part of the frame that is kept
 * @returns the first choice within the budget, or null if not even the smallest fits
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
      const bytes = decoderBytes(frame, crop, out, sizes);
      if (bytes <= budget) return { sizes, bytes };
    }
  }
  return null;
}

/**
 * Returns the arena bytes that decoding takes, and the samples per block side of each component. `bytes` is Infinity
 * when no scale fits the budget. The compressed file is streamed, so it is not included.
 * @param out the size of the rows that are handed out
 * @param crop the part of their frame, before rows are mirrored
 */
export function jpegDecoderPeakBytes(
  facts: JpegFacts,
  out: Size,
  budget: number,
  crop?: Rect,
): { bytes: number; sizes: BlockSize[] } {
  return planJpegDecode(probedFrame(facts), out, budget, crop) ?? { bytes: Infinity, sizes: [] };
}
