/** How a master gets from R2 to a room of the builder. */

/**
 * Sends the master as a stream. Of a room that did not take it, the rest is cancelled (design §5.13).
 * @throws whatever the room's stub throws
 */
export async function handOver<Answer extends { ok: boolean }>(
  master: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  call: (master: ReadableStream<Uint8Array>) => Promise<Answer>,
): Promise<Answer> {
  const untaken = new AbortController();
  const { readable, writable } = new IdentityTransformStream();
  const piped = master.pipeTo(writable, { signal: AbortSignal.any([signal, untaken.signal]) });
  // A builder that has seen enough cancels the rest; one that misses bytes says so in its answer.
  piped.catch(() => undefined);
  const answer = await call(readable);
  if (!answer.ok) untaken.abort();
  return answer;
}

/** Fails when `signal` does: a builder need not notice that nobody listens any more. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(new Error(String(signal.reason)));
    if (signal.aborted) fail();
    signal.addEventListener("abort", fail, { once: true });
  });
}

/** Whether a room answers at all. */
export async function answers(room: { ping(): Promise<{ ok: true }> }): Promise<boolean> {
  try {
    return (await room.ping()).ok;
  } catch {
    return false;
  }
}
