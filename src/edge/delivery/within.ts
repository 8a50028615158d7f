/** Waits for work for a bounded time; work that is late goes on in `waitUntil`. */

export interface Lingering {
  waitUntil(work: Promise<unknown>): void;
  log(event: Record<string, unknown>): void;
}

/** What the work gave, or null when it took longer than `ms` or failed (which is logged). */
export async function within<T>(work: Promise<T>, ms: number, tools: Lingering): Promise<T | null> {
  const safe = work.catch((cause: unknown) => {
    tools.log({ event: "queue-call-failed", reason: String(cause) });
    return null;
  });
  tools.waitUntil(safe);
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, ms));
  });
  try {
    return await Promise.race([safe, late]);
  } finally {
    clearTimeout(timer);
  }
}
