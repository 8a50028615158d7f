/**
 * The process of one side: it does the same work once per message of its parent, and answers with the time and the memory
 * that this took. A process of its own keeps the memory of one side out of the figures of another.
 */
import "../../wasm/hooks.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { peakResidentBytes, residentBytes } from "../../harness/processes.ts";
import { QUALITY, type Side, type Work } from "./works.ts";

export type Order = Work & { side: Side };

export interface Done {
  ms: number;
  /** Processor time of all threads of the process. Other programs on the machine change it less than `ms`. */
  computedMs: number;
  /** The most that the process was resident, over what it was before: with its program loaded, and the master read. */
  grownBytes: number;
}

export type Answer = Done | { error: string };

/** Does the work once. It returns the length of the file. */
export type Run = () => Promise<number>;

const SETTLED_MS = 50;

/** Sets the peak of the resident memory to the present (`man 5 proc`, clear_refs). */
const forgetPeak = (): void => writeFileSync("/proc/self/clear_refs", "5");

async function prepare({ side, ...work }: Order): Promise<Run> {
  const file = readFileSync(work.path);
  switch (side) {
    case "Silverprint":
      return (await import("./sides/silverprint.ts")).prepare(work, file, "thorough");
    case "Silverprint, quick":
      return (await import("./sides/silverprint.ts")).prepare(work, file, "quick");
    case "sharp":
      return (await import("./sides/sharp.ts")).prepare(work, file, { quality: QUALITY });
    case "mozjpeg":
      return (await import("./sides/sharp.ts")).prepare(work, file, { quality: QUALITY, mozjpeg: true });
    case "jSquash":
      return (await import("./sides/jsquash.ts")).prepare(work, file, { quality: QUALITY });
    default:
      return side satisfies never;
  }
}

/**
 * Collects garbage, so that the process is no larger before the work than it must be. Otherwise the work would take the
 * place of what was there before, such as copies of the master, and the growth would be too small.
 */
function collect(): void {
  if (!globalThis.gc) throw new Error("The process needs --expose-gc");
  globalThis.gc();
  globalThis.gc();
}

async function timed(run: Run): Promise<Done> {
  collect();
  // Memory of buffers is given back between turns of the event loop.
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  const before = residentBytes(process.pid);
  forgetPeak();
  const cpu = process.cpuUsage();
  const started = performance.now();
  await run();
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  const grownBytes = peakResidentBytes(process.pid) - before;
  return { ms, computedMs: (user + system) / 1000, grownBytes };
}

let ready: Promise<Run> | null = null;
process.on("message", (order: Order) => {
  ready ??= prepare(order);
  ready
    .then(timed)
    .catch((error: unknown): Answer => ({ error: error instanceof Error ? error.message : String(error) }))
    .then((answer) => process.send?.(answer))
    .catch(() => process.exit(1));
});
