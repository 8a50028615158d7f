import { describe, expect, it } from "vitest";
import { CACHE, DELIVERY } from "../../../../src/limits.ts";
import { buildCold, type ColdTools } from "../../../../src/edge/delivery/build-cold.ts";
import type { Admission, AdmitRequest, Settlement, SpaceQueueApi } from "../../../../src/edge/messages.ts";

/** No test waits by the clock: a request that arrives so late in the future has all the time that it needs. */
const IN_NO_HURRY_MS = 60_000;

let made = 0;
const requestFor = (lane: "light" | "heavy" = "light"): AdmitRequest => {
  const key = `v/space/media/1/w${++made}.jpg`;
  return { key, spaceId: "space", lane, client: "192.0.2.1" } as unknown as AdmitRequest;
};

class FakeQueue {
  admissions = 0;
  settlements = 0;
  readonly #admit: () => Admission | Promise<Admission>;
  readonly #settled: () => Settlement | Promise<Settlement>;

  constructor(
    admit: () => Admission | Promise<Admission>,
    settled: () => Settlement | Promise<Settlement> = () => ({ state: "built" }),
  ) {
    this.#admit = admit;
    this.#settled = settled;
  }

  tools(now: () => number = () => 0): ColdTools {
    const api = {
      admit: async () => {
        this.admissions += 1;
        return await this.#admit();
      },
      settled: async () => {
        this.settlements += 1;
        return await this.#settled();
      },
    };
    return {
      queueOf: () => api as unknown as SpaceQueueApi,
      now,
      waitUntil: () => undefined,
      log: () => undefined,
    };
  }
}

const accepts = (lane: "light" | "heavy") => (): Admission => ({ state: "accepted", lane });

describe("many requests of one isolate for a cold variant", () => {
  it("ask the queue once, and all get the variant if it is built in time", async () => {
    const queue = new FakeQueue(accepts("light"));
    const request = requestFor();
    const tools = queue.tools();
    const results = await Promise.all(
      Array.from({ length: 200 }, () => buildCold(request, IN_NO_HURRY_MS, tools)),
    );
    expect(results.filter(({ state }) => state === "built")).toHaveLength(1);
    expect(results.filter(({ state }) => state === "coalesced")).toHaveLength(199);
    expect(results.every(({ ready }) => ready)).toBe(true);
    expect([queue.admissions, queue.settlements]).toEqual([1, 1]);
  });

  it("ask for the end of a light build together with its admission", async () => {
    const calls: string[] = [];
    let admit: (admission: Admission) => void = () => undefined;
    const queue = new FakeQueue(
      () => {
        calls.push("admit");
        return new Promise((resolve) => (admit = resolve));
      },
      () => {
        calls.push("settled");
        admit({ state: "accepted", lane: "light" });
        return { state: "built" };
      },
    );
    const result = await buildCold(requestFor(), IN_NO_HURRY_MS, queue.tools());
    expect(result).toEqual({ state: "built", ready: true });
    expect(calls).toEqual(["admit", "settled"]);
  });

  it("do not wait for a heavy one", async () => {
    const queue = new FakeQueue(accepts("heavy"));
    const request = requestFor("heavy");
    const tools = queue.tools();
    const results = await Promise.all([1, 2, 3].map(() => buildCold(request, IN_NO_HURRY_MS, tools)));
    expect(results.map(({ state }) => state)).toEqual(["queued", "coalesced", "coalesced"]);
    expect(results.some(({ ready }) => ready)).toBe(false);
    expect([queue.admissions, queue.settlements]).toEqual([1, 0]);
  });

  it("ask again after two seconds", async () => {
    let now = 0;
    const queue = new FakeQueue(accepts("heavy"));
    const request = requestFor("heavy");
    const tools = queue.tools(() => now);
    await buildCold(request, now, tools);
    now = CACHE.admissionMs - 1;
    await buildCold(request, now, tools);
    expect(queue.admissions).toBe(1);
    now = CACHE.admissionMs;
    await buildCold(request, now, tools);
    expect(queue.admissions).toBe(2);
  });

  it.each(["overloaded", "unavailable"] as const)("share the answer %s", async (state) => {
    const queue = new FakeQueue(() => ({ state, reason: "", lane: "light" }));
    const request = requestFor();
    for (let n = 0; n < 3; n++)
      expect(await buildCold(request, IN_NO_HURRY_MS, queue.tools())).toEqual({ state, ready: false });
    expect(queue.admissions).toBe(1);
  });

  it("share the limit of the space, and not the limit of one client", async () => {
    for (const [budget, admissions] of [
      ["space", 1],
      ["client", 3],
    ] as const) {
      const queue = new FakeQueue(() => ({ state: "limited", budget }));
      const request = requestFor();
      for (let n = 0; n < 3; n++)
        expect((await buildCold(request, IN_NO_HURRY_MS, queue.tools())).state).toBe("limited");
      expect(queue.admissions, budget).toBe(admissions);
    }
  });

  it("do not share the answer that one client holds its share of the places", async () => {
    const queue = new FakeQueue(() => ({ state: "overloaded", lane: "light", isShareOfClient: true }));
    const request = requestFor();
    for (let n = 0; n < 3; n++)
      expect((await buildCold(request, IN_NO_HURRY_MS, queue.tools())).state).toBe("overloaded");
    expect(queue.admissions).toBe(3);
  });

  it("share a failed build", async () => {
    const queue = new FakeQueue(accepts("light"), () => ({ state: "failed", reason: "corrupt" }));
    const request = requestFor();
    const tools = queue.tools();
    const results = await Promise.all([1, 2].map(() => buildCold(request, IN_NO_HURRY_MS, tools)));
    expect(results).toEqual([1, 2].map(() => ({ state: "unavailable", ready: false })));
    expect(queue.admissions).toBe(1);
  });
});

describe("a queue", () => {
  it("that does not answer in time counts as queued, and its late answer is for later requests", async () => {
    let answer: (admission: Admission) => void = () => undefined;
    const queue = new FakeQueue(
      () => new Promise((resolve) => (answer = resolve)),
      () => ({ state: "unknown" }),
    );
    const request = requestFor();
    const tools = queue.tools(() => DELIVERY.lightWaitMs);
    expect(await buildCold(request, 0, tools)).toEqual({ state: "queued", ready: false });
    expect(await buildCold(request, 0, tools)).toEqual({ state: "coalesced", ready: false });
    answer({ state: "hit" });
    await new Promise((resolve) => setTimeout(resolve));
    expect(await buildCold(request, 0, tools)).toEqual({ state: "coalesced", ready: true });
    expect(queue.admissions).toBe(1);
  });

  it("that fails counts as unavailable, and the next request asks it again", async () => {
    const queue = new FakeQueue(() => Promise.reject(new Error("reset")));
    const request = requestFor();
    for (let n = 0; n < 2; n++)
      expect(await buildCold(request, IN_NO_HURRY_MS, queue.tools())).toEqual({
        state: "unavailable",
        ready: false,
      });
    expect(queue.admissions).toBe(2);
  });
});
