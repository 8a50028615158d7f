/** Invalidations where the platform gives the Worker no cache (RULES 10.7). */
import { createExecutionContext } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import { Cached } from "../../../src/edge/cached.ts";
import type { Env } from "../../../src/edge/config.ts";
import { invalidateDue, type InvalidationContext } from "../../../src/edge/invalidation/invalidate.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { Platform, waitingTags } from "../support/invalidation.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

/** Returns a deployment whose setting is `edgeCache`, on a runtime without a cache. */
function withoutCache(edgeCache: string): { env: Env; context: InvalidationContext } {
  const env = { ...bindings, EDGE_CACHE: edgeCache };
  const context = Object.assign(createExecutionContext(), { cache: undefined });
  const entrypoint = new Cached(context, env);
  const exports = { Cached: { invalidate: (tags: string[]) => entrypoint.invalidate(tags) } };
  return { env, context: { waitUntil: () => undefined, exports } };
}

async function change(tag: string): Promise<void> {
  const platform = new Platform();
  platform.now = Date.now() - 1;
  await platform.change([tag]);
}

/** Lets `drained` wait for nothing: the clock moves on by what it waits. */
async function drain({ env, context }: ReturnType<typeof withoutCache>) {
  let waits = 0;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((then: () => void, ms = 0) => {
    vi.setSystemTime(Date.now() + ms);
    // An invalidation that is never made would be tried until the sweep's time is over.
    if (waits++ < WAITS_MAX) queueMicrotask(then);
  }) as unknown as typeof setTimeout);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  return invalidateDue(env, 0, context);
}
const WAITS_MAX = 20;

it("is no success where the deployment says that there is one: the invalidation stays, and the log says why", async () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await change("media:a");
  const report = await drain(withoutCache("on"));
  expect(report.tags).toBe(0);
  expect(report.refused).toBe(report.calls);
  expect(await waitingTags()).toEqual(["media:a"]);
  expect(errors.mock.calls.flat().join()).toContain("ctx.cache");
});

it("is nothing to be done where the deployment says that there is none", async () => {
  await change("media:a");
  expect(await drain(withoutCache("off"))).toMatchObject({ refused: 0 });
  expect(await waitingTags()).toEqual([]);
});
