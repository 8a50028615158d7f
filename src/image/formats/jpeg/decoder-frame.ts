/** The frame of a JPEG as the decoder hands it out, from which its memory is computed. */
import type { JpegFacts } from "../../model/facts.ts";
import { isUpwards, swapsAxes } from "../../model/orientation.ts";

/** Samples per side to which a block of 8 x 8 is decoded: 8 is full size, 4, 2 and 1 are 1/2, 1/4 and 1/8. */
export type BlockSize = 8 | 4 | 2 | 1;

/** The data stored between decoding and output: nothing, whole planes of samples, or all coefficients. */
export type JpegStorage = "none" | "planes" | "coefficients";

/** The parts of a frame header (ITU T.81 B.2.2) that determine memory, turned if the decoder turns the picture. */
export interface JpegFrame {
  width: number;
  height: number;
  components: readonly { h: number; v: number }[];
  storage: JpegStorage;
  /** Whether the last row is handed out first. */
  isUpwards: boolean;
}

/** Returns whether a component has full resolution: of four, the first (luma) and the last (black) have. */
export function isLuma(index: number): boolean {
  return index === 0 || index === 3;
}

/**
 * Returns the frame header as far as the probe read it. A fourth component is assumed to have the sampling of the
 * first, as Adobe writes it.
 */
export function probedFrame(facts: JpegFacts): JpegFrame {
  const [h, v] = facts.components === 1 ? [1, 1] : facts.sampling;
  const components = Array.from({ length: facts.components }, (_, index) =>
    isLuma(index) ? { h, v } : { h: 1, v: 1 },
  );
  const isProgressive = facts.process === "progressive";
  const storage = isProgressive ? "coefficients" : facts.scans > 1 ? "planes" : "none";
  return uprightFrame(facts, { width: facts.codedWidth, height: facts.codedHeight, components, storage });
}

/**
 * Returns whether the decoder itself hands out upright rows. It holds all coefficients of a progressive JPEG before it
 * makes the first row, so it can begin at any side of the picture. It can mirror the rows of every JPEG.
 */
export const isTurnedByDecoder = ({ process, orientation }: JpegFacts): boolean =>
  process === "progressive" || orientation === 2;

/** Returns the frame with the size and order in which its rows are handed out: upright if the decoder turns it. */
export function uprightFrame(facts: JpegFacts, coded: Omit<JpegFrame, "isUpwards">): JpegFrame {
  if (!isTurnedByDecoder(facts)) return { ...coded, isUpwards: false };
  const frame = { ...coded, isUpwards: isUpwards(facts.orientation) };
  if (!swapsAxes(facts.orientation)) return frame;
  const components = coded.components.map(({ h, v }) => ({ h: v, v: h }));
  return { ...frame, width: coded.height, height: coded.width, components };
}
