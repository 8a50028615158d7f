/** A space with a picture and a request for a variant of it, and the rows that its build leaves. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { moveClock } from "../clean.ts";
import { objectOf, queueOf, requestFor } from "../queue.ts";
import { bindings, makeMedia, makeSpace } from "../rows.ts";

/** Lets the time of a put-back job come. */
async function retry(space: Parameters<typeof objectOf>[0]): Promise<void> {
  moveClock(15_000);
  await runDurableObjectAlarm(objectOf(space));
}

/**
 * Makes a picture and a request for a variant of it, and holds the clock: a job that was put back waits for half a second
 * or more, and would be tried again before a slow machine has looked at it. `retry` lets the time of such a job come.
 */
export async function start() {
  const space = await makeSpace();
  const media = await makeMedia(space);
  const queue = queueOf(space);
  const request = requestFor(media, { width: 500 });
  moveClock(0);
  return { space, media, queue, request, retry: () => retry(space) };
}

/** Returns keys whose bytes are to be removed, or on their way. */
export const doomedKeys = async (): Promise<string[]> =>
  (await bindings.DB.prepare("SELECT key FROM doomed_objects").all<{ key: string }>()).results.map(
    ({ key }) => key,
  );
