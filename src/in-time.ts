/** The one helper for time limits: waits for work, but not for ever. */

/** The work has not ended in its time. It may go on. */
export class LateError extends Error {
  override readonly name = "LateError";

  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/**
 * Waits for the result of `work`, if it comes within `ms`. Late work goes on, but its result is ignored.
 * @param signal ends the waiting when it aborts
 * @throws LateError, the signal's reason, and what `work` throws
 */
export async function inTime<T>(work: Promise<T>, ms: number, signal?: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  let timer!: ReturnType<typeof setTimeout>;
  let stop!: () => void;
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(ms)), Math.max(0, ms));
    stop = () => reject(signal?.reason instanceof Error ? signal.reason : new Error(String(signal?.reason)));
  });
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}
