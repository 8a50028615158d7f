/** Ports of this machine, and how a start knows that the service is there. */
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

/** Looks and not seconds: on a busy machine each takes as much longer as the start does. */
const HEALTHY_LOOKS_MAX = 5000;
const POLL_MS = 50;

/** A range of ports below those that systems assign to outgoing connections and to port 0 (32,768 and higher). */
const PORTS = { first: 20_000, count: 12_000 };

/** Returns a port that is free now, and that no other program is likely to take before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (listens) await new Promise((resolve) => server.close(resolve));
  return listens;
}

/**
 * @param tail the last lines that the Workers printed
 * @param looksMax how often the service is asked whether it is healthy
 * @throws Error when the service does not become healthy, with those lines and its last answer
 */
export async function waitUntilHealthy(
  base: string,
  tail: () => string,
  looksMax = HEALTHY_LOOKS_MAX,
): Promise<void> {
  let last = "no answer";
  for (let looks = 0; looks < looksMax; looks++) {
    try {
      const response = await fetch(`${base}/healthz`);
      last = await response.text();
      if (response.ok) return;
    } catch {
      // Not listening yet.
    }
    await setTimeout(POLL_MS);
  }
  throw new Error(`${tail()}\nNot healthy after ${looksMax} looks: ${last}`);
}
