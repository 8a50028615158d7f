import type { MasterFacts } from "../../src/image/model/facts.ts";
import {
  createProbe,
  InvalidImageError,
  SvgRejectedError,
  UnsupportedMediaError,
} from "../../src/image/formats/probe.ts";

/** Probes a file in chunks of the given sizes. The last size is repeated. */
export function probe(file: Uint8Array, sizes: number[] = [file.length]): MasterFacts {
  const probing = createProbe();
  let at = 0;
  for (let i = 0; at < file.length; i += 1) {
    const size = Math.max(0, sizes[Math.min(i, sizes.length - 1)]!);
    // Overwrites the buffer after the call, as a stream may do.
    const chunk = Uint8Array.from(file.subarray(at, at + Math.max(1, size)));
    probing.push(chunk);
    at += chunk.length;
    chunk.fill(0xaa);
  }
  return probing.finish();
}

export type Outcome = { facts: MasterFacts } | { refused: string; name: string };

/** Returns the facts of a file, or the probe's error. Any other error is a bug of the probe and is thrown. */
export function outcomeOf(file: Uint8Array, sizes?: number[]): Outcome {
  try {
    return { facts: probe(file, sizes) };
  } catch (error) {
    const isRefusal =
      error instanceof InvalidImageError ||
      error instanceof UnsupportedMediaError ||
      error instanceof SvgRejectedError;
    if (isRefusal) {
      return { refused: error.message, name: error.name };
    }
    throw error;
  }
}
