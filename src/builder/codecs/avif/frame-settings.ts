/** The settings for a quantiser index of our own AV1 encoder. Measured in SSIMULACRA 2 (assembly/README.md). */
import { NO_MATRIX, type StillFrame } from "./av1-headers.ts";

export interface FrameSettings extends Pick<
  StillFrame,
  "baseIndex" | "chromaDc" | "chromaAc" | "matrix" | "deblocking"
> {
  /** The weight of a squared error of a sample of chroma, by that of luma. */
  chromaWeight: number;
}

/** Up to this index, the flatter matrices give fewer bytes for the same look; above it, the steeper ones. */
const FLATTER_UP_TO = 30;

/** The header has seven bits for an offset (AV1 specification section 5.9.13). */
const MOST_DELTA = 63;

/**
 * Returns the settings of chroma. At half the resolution, a sample of chroma stands for four pixels: it is quantised
 * finer than luma, or dark and smooth parts show blocks of wrong colour. At full resolution, its detail is quantised
 * more coarsely than that of luma.
 */
function chromaSettings(
  baseIndex: number,
  chroma: StillFrame["chroma"],
): Pick<FrameSettings, "chromaDc" | "chromaAc" | "chromaWeight"> {
  if (chroma === "444") {
    return { chromaDc: 0, chromaAc: Math.min(MOST_DELTA, baseIndex >> 1), chromaWeight: 0.4 };
  }
  const delta = -Math.round(baseIndex / 5);
  return { chromaDc: delta, chromaAc: delta, chromaWeight: 2.5 };
}

/** The step of 8-bit samples is about this much above the index, where levels of deblocking matter. */
const STEP_ABOVE_INDEX = 8;

/** Returns libaom's estimate for key frames by the step of the quantiser (av1_pick_filter_level). */
function deblockingOf(baseIndex: number): number {
  const level = Math.round(((baseIndex + STEP_ABOVE_INDEX) * 17_563 - 421_574) / 2 ** 18);
  return Math.max(0, Math.min(63, level));
}

export const frameSettings = (baseIndex: number, chroma: StillFrame["chroma"]): FrameSettings => ({
  baseIndex,
  ...chromaSettings(baseIndex, chroma),
  matrix: baseIndex <= FLATTER_UP_TO ? 5 : 2,
  deblocking: deblockingOf(baseIndex),
});

/**
 * Returns the settings of alpha, which is not looked at by itself: its errors show where shapes end, so none is weighed
 * less, and no edge smoothed.
 */
export const alphaSettings = (baseIndex: number): FrameSettings => ({
  baseIndex,
  chromaDc: 0,
  chromaAc: 0,
  chromaWeight: 1,
  matrix: NO_MATRIX,
  deblocking: 0,
});
