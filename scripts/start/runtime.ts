/** Runtimes that leave it to their owner to end the process. */
import { Miniflare, type MiniflareOptions } from "miniflare";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Returns a Miniflare without its listeners for signals. They end this process at once, before the runtime's own
 * process has ended and before a caller has tidied up.
 */
export function newRuntime(options: MiniflareOptions): Miniflare {
  const before = SIGNALS.map((signal) => process.listeners(signal));
  const runtime = new Miniflare(options);
  SIGNALS.forEach((signal, i) => {
    for (const listener of process.listeners(signal))
      if (!before[i]?.includes(listener)) process.off(signal, listener);
  });
  return runtime;
}
