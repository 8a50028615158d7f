/**
 * Tries again what failed in passing: no answer, a line that was too slow, or trouble of the service's. A request of a
 * session that has ended waits for the next sign-in.
 */
import { SilverprintError } from "../../client/index.ts";
import { Unreachable } from "../session/answered.ts";
import type { Job, UploadSession } from "./job.ts";

const WAITS_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];

const isPassing = (error: unknown): boolean =>
  error instanceof Unreachable ||
  (error instanceof SilverprintError &&
    error.code !== "STORAGE_FULL" &&
    (error.status >= 500 || error.code === "REQUEST_TOO_SLOW"));

/** Tries until the request succeeds, is refused or is given up: it waits for a line that is down for minutes. */
export async function persistently<Result>(
  { session, signal }: Pick<Job, "session" | "signal">,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    const used = session.key;
    try {
      return await attempt();
    } catch (error) {
      if (hasEnded(error) && !signal.aborted) {
        if (!(await renew(session, used, signal))) throw error;
        continue;
      }
      if (signal.aborted || !isPassing(error) || tries >= WAITS_MS.length * 3) throw error;
      await pause(WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 0, signal);
    }
  }
}

const hasEnded = (error: unknown): boolean => error instanceof SilverprintError && error.status === 401;

/** Waits for the next sign-in. Returns whether the upload may go on with it. @throws the signal's reason */
async function renew(session: UploadSession, used: string, signal: AbortSignal): Promise<boolean> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  // The page itself tells of uploads that would be lost.
  const key = await Promise.race([session.renewed(used, null), aborted]);
  if (key === null) return false;
  session.key = key;
  return true;
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
