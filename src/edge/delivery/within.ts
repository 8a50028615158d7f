/** Waits for work for a bounded time. Late work goes on in `waitUntil`. */
import { inTime, LateError } from "../../in-time.ts";

export interface Lingering {
  waitUntil(work: Promise<unknown>): void;
  log(event: Record<string, unknown>): void;
}

/** Returns the result of the work; "late" if it takes longer than `ms`, "failed" if it throws, which is logged as `event`. */
export async function within<T extends object>(
  work: Promise<T>,
  ms: number,
  tools: Lingering,
  event = "queue-call-failed",
): Promise<T | "late" | "failed"> {
  const safe = work.catch((cause: unknown) => {
    tools.log({ event, reason: String(cause) });
    return "failed" as const;
  });
  tools.waitUntil(safe);
  return inTime(safe, ms).catch((error: unknown) => {
    if (error instanceof LateError) return "late";
    throw error;
  });
}
