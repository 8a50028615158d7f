/** Waits for work for a bounded time. Late work goes on in `waitUntil`. */

export interface Lingering {
  waitUntil(work: Promise<unknown>): void;
  log(event: Record<string, unknown>): void;
}

/** The result of the work; "late" if it takes longer than `ms`, "failed" if it throws, which is logged as `event`. */
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
  let timer!: ReturnType<typeof setTimeout>;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), Math.max(0, ms));
  });
  try {
    return await Promise.race([safe, late]);
  } finally {
    clearTimeout(timer);
  }
}
