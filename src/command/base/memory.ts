/**
 * Keeps the memory of the command small, whatever the size of a space. V8 lets the buffers of requests and answers wait
 * until there are some 64 MB of them, and its own garbage beside them: it does not know that the command shall be small.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The size of the process from which garbage is collected. Without any it takes some 90 MB. */
const COLLECTED_FROM_BYTES = 105e6;
/**
 * The size of the process beside the objects in use. A process with many of these stays above the first size: without this,
 * each megabyte would cost a full collection that frees nothing. It does not follow from the size after a collection, which
 * falls late: a limit that rises with it let an import take 260 MB.
 */
const BESIDE_LIVE_BYTES = 80e6;
/** The bytes of requests, answers and files that pass between two collections. Each leaves several times itself as garbage. */
const COLLECTED_EACH_BYTES = 1_000_000;
/** Bytes added per request, because its headers and objects are garbage too. */
export const REQUEST_BYTES = 100_000;

let collectedFromBytes = Infinity;
let passedBytes = 0;
let collect: (() => void) | null = null;

const nothing = (): void => undefined;

/** Makes this process one whose garbage is collected early. Those of tests are large whatever the command does. */
export function keepProcessSmall(): void {
  collectedFromBytes = COLLECTED_FROM_BYTES;
}

/**
 * Returns the function by which V8 collects garbage. Node has it only with a flag, which may be set at any time. A runtime
 * without V8 (Bun) has neither, and an import must not end there for want of it.
 */
function collector(): () => void {
  try {
    setFlagsFromString("--expose-gc");
    const found: unknown = runInNewContext("gc");
    return typeof found === "function" ? (found as () => void) : nothing;
  } catch {
    return nothing;
  }
}

/**
 * Collects garbage if the process has grown. That takes some 20 ms, so it is done once for many small requests.
 * @param bytes that have passed since the last call
 */
export function releaseMemory(bytes: number): void {
  passedBytes += bytes;
  if (passedBytes < COLLECTED_EACH_BYTES || process.memoryUsage.rss() < collectedFromBytes) return;
  passedBytes = 0;
  collect ??= collector();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  collectedFromBytes = Math.max(COLLECTED_FROM_BYTES, heapUsed + external + BESIDE_LIVE_BYTES);
}
