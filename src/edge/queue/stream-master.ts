/** How a master gets from R2 to a room of the builder. */
import type { ReadRange } from "../../image/protocol/build.ts";
import { isReadAgain } from "../../image/plan/cost-decode.ts";
import type { MasterFacts } from "../../image/model/facts.ts";

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

/**
 * For a room that needs parts of the master beside the stream: reads them from `key`, until `signal` aborts. A key
 * never gets other bytes. Undefined for masters of which none does.
 */
export function rangesOf(
  bucket: R2Bucket,
  key: string,
  facts: MasterFacts,
  signal: AbortSignal,
): ReadRange | undefined {
  if (!isReadAgain(facts)) return undefined;
  return async (offset, length) => {
    signal.throwIfAborted();
    const part = await bucket.get(key, { range: { offset, length } });
    return (part?.body as ReadableStream<Uint8Array> | undefined) ?? null;
  };
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
