/** Origins that never come to an end: each fetch is given up after its 30 seconds, and leaves nothing (RULES 13.4, 13.5). */
import { expect, it } from "vitest";
import { REMOTE } from "../../../src/limits.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { queueOf } from "../support/queue.ts";
import { hangs } from "../support/remote/origin.ts";
import { useRemoteSite } from "../support/remote/site.ts";
import { bindings } from "../support/rows.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();
const site = useRemoteSite();

/** Gives the beginning of a picture, and then a byte in each interval, for ever. */
function dripping(intervalMs: number): () => Response {
  return () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(gifOf(100).slice(0, 50)),
      async pull(controller) {
        await scheduler.wait(intervalMs);
        controller.enqueue(new Uint8Array(1));
      },
    });
    return new Response(body, { headers: { "Content-Type": "image/gif" } });
  };
}

it("gives up an origin that is silent, that stops within its answer, and that gives a byte a second", async () => {
  site.origin
    .on("/silent", hangs)
    .on("/stops", dripping(2 * REMOTE.leaseMs))
    .on("/drips", dripping(1000));
  for (const path of ["/silent", "/stops", "/drips"]) await site.ask(path, "w=64");
  const queue = queueOf(site.client.space);
  for (let waited = 0; waited < 2 * REMOTE.leaseMs; waited += 1000) {
    await queue.wake();
    if ((await site.fetches()) === 3) break;
    await scheduler.wait(1000);
  }
  const { recent, running } = await queue.fetches();
  expect(running).toBe(0);
  expect(recent.map(({ state, reason }) => ({ state, reason }))).toEqual(
    Array.from({ length: 3 }, () => ({
      state: "failed",
      reason: "the origin did not give the file in its time",
    })),
  );
  await eventually(() => expect(site.origin.running).toBe(0));
  expect(await site.usage()).toMatchObject({ pictures: 0, bytes: 0 });
  expect((await bindings.BUCKET.list()).objects).toHaveLength(0);
  expect((await site.ask("/silent", "w=64")).state).toBe("unavailable");
});
