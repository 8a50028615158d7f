/** Tries again what failed in passing: no answer, a line that was too slow, or trouble of the service's. */
import { SilverprintError } from "../../client/index.ts";
import { Unreachable } from "../session/answered.ts";

const WAITS_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];

const isPassing = (error: unknown): boolean =>
  error instanceof Unreachable ||
  (error instanceof SilverprintError &&
    error.code !== "STORAGE_FULL" &&
    (error.status >= 500 || error.code === "REQUEST_TOO_SLOW"));

/** Until it succeeds, is refused or is given up: a line that is down for minutes is waited for. */
export async function persistently<Result>(
  signal: AbortSignal,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || !isPassing(error) || tries >= WAITS_MS.length * 3) throw error;
      await pause(WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 0, signal);
    }
  }
}

/** Ends early when the browser says that it is online again. @throws the signal's reason */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
