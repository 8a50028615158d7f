import type { MasterFacts } from "../../src/image/model/facts.ts";
import {
  createProbe,
  InvalidImageError,
  SvgRejectedError,
  UnsupportedMediaError,
} from "../../src/image/formats/probe.ts";

/** Facts of a file that comes in chunks of the given sizes, the last of which repeats. */
export function probe(file: Uint8Array, sizes: number[] = [file.length]): MasterFacts {
  const probing = createProbe();
  let at = 0;
  for (let i = 0; at < file.length; i += 1) {
    const size = Math.max(0, sizes[Math.min(i, sizes.length - 1)]!);
    // As a stream may do: the buffer is taken back once the call has returned.
    const chunk = Uint8Array.from(file.subarray(at, at + Math.max(1, size)));
    probing.push(chunk);
    at += chunk.length;
    chunk.fill(0xaa);
  }
  return probing.finish();
}

export type Outcome = { facts: MasterFacts } | { refused: string; name: string };

/** Facts or one of the probe's errors; anything else that is thrown is a fault of the probe and is thrown on. */
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
