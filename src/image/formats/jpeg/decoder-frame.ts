/** The frame of a JPEG as the decoder hands it out: what the sums of its memory are made of. */
import type { JpegFacts } from "../../model/facts.ts";
import { isTurnedByDecoder, isUpwards, swapsAxes } from "../../model/orientation.ts";

/** How decoded data waits for the output: not at all, as whole planes of samples, or as coefficients. */
export type JpegStorage = "none" | "planes" | "coefficients";

/** What the sums need of a frame header (ITU T.81 B.2.2), as the picture is handed out: upright, where that is so. */
export interface JpegFrame {
  width: number;
  height: number;
  components: readonly { h: number; v: number }[];
  storage: JpegStorage;
  /** The last row is handed out first. */
  isUpwards: boolean;
}

/** Of four components, the first and the last are as fine as the picture. */
export function isLuma(index: number): boolean {
  return index === 0 || index === 3;
}

/**
 * The frame header as far as the probe tells it. A fourth component is taken to be as fine as the first, as
 * Adobe writes it.
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

/** The frame as rows of it are handed out, which is upright where the decoder turns it. */
export function uprightFrame(facts: JpegFacts, coded: Omit<JpegFrame, "isUpwards">): JpegFrame {
  if (!isTurnedByDecoder(facts)) return { ...coded, isUpwards: false };
  const frame = { ...coded, isUpwards: isUpwards(facts.orientation) };
  if (!swapsAxes(facts.orientation)) return frame;
  const components = coded.components.map(({ h, v }) => ({ h: v, v: h }));
  return { ...frame, width: coded.height, height: coded.width, components };
}
