/** Measures what the builder's isolate holds while it builds, and how that is divided. */
import { MASTER_PIECES } from "../../../src/limits.ts";
import { INITIAL_MEMORY, type MemoryBytes } from "../../../src/image/memory/isolate.ts";
import type { PlannedMemory } from "../../../src/image/plan/build-plan.ts";
import { anonymousBytes, compiledBytes } from "../../harness/processes.ts";
import type { Inspector } from "../service/inspector.ts";

const SAMPLE_MS = 50;
/** Less often, because V8 collects garbage for each look. */
const LOOK_MS = 200;

/** One reading of the builder's process, in bytes. */
export interface Sample {
  /** Pages of JavaScript objects, live or not yet collected, and the runtime's objects behind them. */
  heap: number;
  /** ArrayBuffers without the WebAssembly memories, live or not yet collected. */
  arrayBuffers: number;
  /** Lengths of the WebAssembly memories. They never shrink. */
  memories: number;
  /** Compiled code. */
  code: number;
  /** All of the process but pages of files. */
  process: number;
}

const sum = (values: number[]): number => values.reduce((all, value) => all + value, 0);

export async function sample(inspector: Inspector, builderPid: number): Promise<Sample> {
  const memories = sum(await inspector.memories());
  const { totalSize, embedderHeapUsedSize, backingStorageSize } = await inspector.usage();
  return {
    heap: totalSize + embedderHeapUsedSize,
    arrayBuffers: backingStorageSize,
    memories,
    code: compiledBytes(builderPid),
    process: anonymousBytes(builderPid),
  };
}

/** Calls `look` again and again while `work` goes on. */
async function during<Seen>(
  work: Promise<unknown>,
  everyMs: number,
  look: () => Promise<Seen>,
): Promise<Seen[]> {
  const seen: Seen[] = [];
  let isOver = false;
  const over = (): void => void (isOver = true);
  work.then(over, over);
  while (!isOver) {
    seen.push(await look());
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  await work;
  return seen;
}

export const samplesDuring = (
  work: Promise<unknown>,
  inspector: Inspector,
  builderPid: number,
): Promise<Sample[]> => during(work, SAMPLE_MS, () => sample(inspector, builderPid));

/** Returns the most bytes of the master that are in flight: pieces that have come, and that the decoder still holds. */
export async function streamsDuring(work: Promise<unknown>, inspector: Inspector): Promise<number> {
  const seen = await during(work, LOOK_MS, async () => {
    const lengths = await inspector.arrayBuffers();
    return sum(lengths.filter((bytes) => bytes === MASTER_PIECES.bytes));
  });
  return Math.max(0, ...seen);
}

/**
 * Returns the most that a build takes of each part, in bytes.
 * @param idleBytes the size of the process before its first build: only its growth since then counts
 */
export function mostOf(samples: Sample[], idleBytes: number): Sample {
  const most = (of: (one: Sample) => number): number => Math.max(0, ...samples.map(of));
  return {
    heap: most(({ heap }) => heap),
    arrayBuffers: most(({ arrayBuffers }) => arrayBuffers),
    memories: most(({ memories }) => memories),
    code: most(({ code }) => code),
    process: most(({ process }) => process - idleBytes),
  };
}

const MEMORIES = ["arena", "resampler", "rowCodec"] as const;

/** Returns the peak by the plans of all builds of a process, the last of which is `last`: memories never shrink. */
export function plannedPeak(before: PlannedMemory[], last: PlannedMemory): number {
  const largest = (name: keyof MemoryBytes): number =>
    Math.max(INITIAL_MEMORY[name], ...[...before, last].map((memory) => memory[name]));
  return sum(MEMORIES.map(largest)) + last.buffers + last.colour + last.output;
}
