/** Waits for work for a bounded time; work that is late goes on in `waitUntil`. */

export interface Lingering {
  waitUntil(work: Promise<unknown>): void;
  log(event: Record<string, unknown>): void;
}

/** What the work gave; "late" when it takes longer than `ms`, "failed" when it threw (which is logged). */
export async function within<T extends object>(
  work: Promise<T>,
  ms: number,
  tools: Lingering,
): Promise<T | "late" | "failed"> {
  const safe = work.catch((cause: unknown) => {
    tools.log({ event: "queue-call-failed", reason: String(cause) });
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
