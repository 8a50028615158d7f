/** Requests that need a part of the deployment which does not answer. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HOUR_MS, PATIENCE } from "../../../src/limits.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import handlers from "../../../src/edge/worker.ts";
import { ROOT } from "../support/http.ts";
import { bindings, makeMedia, makeSpace } from "../support/rows.ts";

cleanBetweenTests();

/** Objects that take a call, and never answer it. */
const silent = {
  idFromName: (name: string) => name,
  get: () => new Proxy({}, { get: () => () => new Promise(() => undefined) }),
} as unknown as DurableObjectNamespace;
/** Objects whose calls fail at once. */
const broken = {
  idFromName: (name: string) => name,
  get: () => new Proxy({}, { get: () => () => Promise.reject(new Error("the object was reset")) }),
} as unknown as DurableObjectNamespace;

/** Requests, and waits for the answer alone: work beside it never ends either. */
async function ask(overrides: object, path: string): Promise<Response> {
  const context = { waitUntil: () => undefined, exports: {} } as unknown as ExecutionContext;
  const request = new Request(`https://images.test${path}`, { headers: ROOT });
  return handlers.fetch(request, { ...bindings, ...overrides }, context);
}

let clock = Date.now() + HOUR_MS;
beforeEach(() => {
  // Later than what /healthz keeps, whichever test has asked for it before.
  clock += 60_000;
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: clock });
});
afterEach(() => void vi.useRealTimers());

/** Returns an answer for which `ms` pass, as soon as it is waited for. */
async function answeredAfter(ms: number, asking: Promise<Response>): Promise<Response> {
  const seen = { isOver: false };
  const over = asking.finally(() => (seen.isOver = true));
  while (!seen.isOver && vi.getTimerCount() === 0) await scheduler.wait(1);
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(seen.isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  return over;
}

describe("/healthz (RULES 10.6)", () => {
  it("names a builder that does not answer in time", async () => {
    const asking = ask({ BUILD_ROOM: silent }, "/healthz");
    const response = await answeredAfter(PATIENCE.healthMs, asking);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ status: "failing", builder: "failing", database: "ok" });
  });

  it("promises its answer within two seconds", () => {
    expect(PATIENCE.healthMs).toBeLessThan(2000);
  });
});

describe("a route that needs an object", () => {
  const paths = async () => {
    const space = await makeSpace();
    const media = await makeMedia(space);
    const base = `/api/v1/${space.name}`;
    return [`${base}/usage`, `${base}/activity`, `${base}/media/${media.id}/variants`, "/api/v1/metrics"];
  };
  const without = (objects: DurableObjectNamespace) => ({ SPACE_QUEUE: objects, METRICS: objects });

  it("is 503 with Retry-After when that does not answer in time", async () => {
    for (const path of await paths()) {
      const asking = ask(without(silent), path);
      const response = await answeredAfter(PATIENCE.objectMs, asking);
      expect(response.status, path).toBe(503);
      expect(response.headers.get("Retry-After")).toBe(String(PATIENCE.retryAfterSeconds));
      expect(await response.json()).toMatchObject({ error: { code: "UNAVAILABLE" } });
    }
  });

  it("is 503 when that fails", async () => {
    for (const path of await paths()) {
      const response = await ask(without(broken), path);
      expect(response.status, path).toBe(503);
      expect(await response.json()).toMatchObject({ error: { code: "UNAVAILABLE" } });
    }
  });
});
