/** One axis of the JPEG decoder's resampling: the samples that a crop needs, and the filter over them. */
import { LOBES } from "../../memory/filter-constants.ts";

/** A filter along one axis. */
export interface Span {
  /** Input samples per output sample. */
  step: number;
  /** Where in the first input sample the first output sample begins, from 0 to 1. */
  phase: number;
  /** Number of input samples. */
  inputs: number;
}

const isCopy = ({ step, phase }: Span): boolean => step === 1 && phase === 0;

export function tapsFor(span: Span, multiple: number): number {
  if (isCopy(span)) return 1;
  const { step } = span;
  const taps = Math.ceil(2 * LOBES * Math.max(step, 1)) + 1;
  return Math.ceil(taps / multiple) * multiple;
}

export function firstInput(output: number, span: Span): number {
  const { step, phase, inputs } = span;
  if (isCopy(span)) return Math.min(output, inputs - 1);
  const low = Math.ceil(phase + (output + 0.5) * step - 0.5 - LOBES * Math.max(step, 1));
  return Math.min(Math.max(low, 0), inputs - 1);
}

/** The samples of a component that a crop needs on one axis. */
export interface Reach {
  /** The first sample, and the sample after the last one. */
  begin: number;
  end: number;
  /** The MCUs that contain them. */
  firstMcu: number;
  mcus: number;
}

/**
 * @param start the first pixel of the crop
 * @param length the length of the crop in pixels
 * @param whole the length of the picture in pixels
 * @param side samples of the component per MCU
 * @param max the largest sampling factor of the frame
 * @param margin samples on each side of the crop that a triangle filter also reads
 */
export function reachOf(
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

export const spanOf = (
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
