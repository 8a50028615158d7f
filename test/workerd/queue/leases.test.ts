/** The state that outlives the object, and the state that does not (RULES 8.2: neither lost nor doubled). */
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { QUEUE } from "../../../src/limits.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { builder, crashes, Gate, hangs } from "../support/builder/fake-builder.ts";
import { crash, objectOf, queueOf, queueSql, requestFor, requestsFor } from "../support/queue.ts";
import { bindings, makeMedia, makeSpace, variantFiles, type Space } from "../support/rows.ts";

cleanBetweenTests();

async function start() {
  const space = await makeSpace();
  const media = await makeMedia(space);
  return { space, media, queue: queueOf(space), request: requestFor(media, { width: 500 }) };
}

describe("an object that ends during a build (RULES 8.2, 8.5)", () => {
  test.each([
    ["crashes", crash],
    ["goes down with all others", () => abortAllDurableObjects()],
  ])("%s: its alarm builds what it had begun and what waited", async (_, end) => {
    const { space, media } = await start();
    const requests = requestsFor(media, 3, 1);
    builder.next(hangs);
    for (const request of requests) await queueOf(space).admit(request);
    await builder.called(1);
    await end(space);
    expect(await runDurableObjectAlarm(objectOf(space))).toBe(true);
    await eventually(async () => expect(await variantFiles(media)).toHaveLength(3));
    expect(builder.widths()).toEqual([1, 1, 2, 3]);
    expect(builder.rooms()).toEqual([0, 0, 0, 0]);
  });

  test("evicted while a lost job waits: its alarm starts the build", async () => {
    const { space, media, request } = await start();
    builder.next(crashes);
    await queueOf(space).admit(request);
    await builder.called(1);
    await eventually(async () => expect((await queueOf(space).usage()).running).toBe(0));
    await evictDurableObject(objectOf(space));
    moveClock(15_000);
    await runDurableObjectAlarm(objectOf(space));
    await eventually(async () => expect(await variantFiles(media)).toEqual([request.file]));
  });

  test("the next admission finds the job too, and joins it", async () => {
    const { space, request } = await start();
    builder.next(hangs);
    await queueOf(space).admit(request);
    await builder.called(1);
    await crash(space);
    expect(await queueOf(space).admit(request)).toEqual({ state: "coalesced", lane: "light" });
    expect(await queueOf(space).settled(request.key)).toEqual({ state: "built" });
    expect((await queueOf(space).usage()).coldBudgetUsed).toBe(1);
  });

  test.each([
    ["settled", (space: Space) => queueOf(space).settled("v/another/key")],
    ["usage", (space: Space) => queueOf(space).usage()],
  ])("any call goes on with it: %s", async (_, call) => {
    const { space, media, request } = await start();
    builder.next(hangs);
    await queueOf(space).admit(request);
    await builder.called(1);
    await crash(space);
    await call(space);
    await eventually(async () => expect(await variantFiles(media)).toEqual([request.file]));
  });

  test("wake starts the builds that a crash left", async () => {
    const { space, media, request } = await start();
    builder.next(hangs);
    await queueOf(space).admit(request);
    await builder.called(1);
    await crash(space);
    await queueOf(space).wake();
    await eventually(async () => expect(await variantFiles(media)).toEqual([request.file]));
  });

  test("a build that crashes the queue three times is a failure (RULES 8.4)", async () => {
    const { space, request } = await start();
    builder.always(hangs);
    await queueOf(space).admit(request);
    for (let losses = 1; losses <= QUEUE.lossesMax; losses++) {
      await builder.called(losses);
      await crash(space);
      await queueOf(space).wake();
    }
    expect(await queueOf(space).admit(request)).toMatchObject({ state: "unavailable" });
    expect(builder.widths()).toHaveLength(QUEUE.lossesMax);
  });

  test("failures, budgets and the number of light builds in a row are kept", async () => {
    const { space, media } = await start();
    const heavy = requestFor(media, { width: 900, lane: "heavy" });
    const light = requestsFor(media, 9, 1);
    for (const request of light.slice(0, 8)) {
      await queueOf(space).admit(request);
      await queueOf(space).settled(request.key);
    }
    const gate = new Gate();
    builder.next(gate.hold);
    await crash(space);
    await queueOf(space).admit(requestFor(media, { width: 901, lane: "heavy" }));
    expect((await queueOf(space).usage()).coldBudgetUsed).toBe(9);
    expect(await queueSql(space, "SELECT lights_in_a_row AS n FROM bookkeeping")).toEqual([{ n: 0 }]);
    await queueOf(space).admit(heavy);
    gate.open();
    expect(await queueOf(space).settled(heavy.key)).toEqual({ state: "built" });
  });
});

describe("a builder that does not answer", () => {
  test.each(["light", "heavy"] as const)(
    "%s: past its time it is lost, and another room is asked",
    async (lane) => {
      const { space, media, queue } = await start();
      const request = requestFor(media, { width: 500, lane });
      moveClock(0);
      builder.next(hangs);
      await queue.admit(request);
      await builder.called(1);
      moveClock(QUEUE.leaseMs[lane] - 1);
      await runDurableObjectAlarm(objectOf(space));
      expect(await queue.usage()).toMatchObject({ running: 1 });
      moveClock(1);
      await runDurableObjectAlarm(objectOf(space));
      expect(await queue.usage()).toMatchObject({ running: 0 });
      moveClock(15_000);
      await runDurableObjectAlarm(objectOf(space));
      expect(await queue.settled(request.key)).toEqual({ state: "built" });
      expect(builder.rooms()).toEqual([0, 1]);
    },
  );

  test("the late result of an abandoned build is ignored", async () => {
    const { space, media, queue, request } = await start();
    const late = new Gate();
    builder.next(late.hold, crashes);
    await queue.admit(request);
    await builder.called(1);
    moveClock(QUEUE.leaseMs.light);
    await runDurableObjectAlarm(objectOf(space));
    late.open();
    moveClock(15_000);
    await runDurableObjectAlarm(objectOf(space));
    await builder.called(2);
    await eventually(async () => expect((await queue.usage()).running).toBe(0));
    expect(await variantFiles(media)).toEqual([]);
    expect(await bindings.BUCKET.head(request.key)).toBeNull();
  });
});

describe("housekeeping", () => {
  test("past budgets and failures are removed, then no alarm is set", async () => {
    const { space, media, queue, request } = await start();
    await queue.admit(request);
    await queue.settled(request.key);
    await queue.admit(requestFor(media, { width: 501, client: "192.0.2.2" }));
    await queue.settled(requestFor(media, { width: 501 }).key);
    expect(await queueSql(space, "SELECT owner FROM budgets ORDER BY owner")).toHaveLength(3);
    moveClock(QUEUE.coldWindowMs + 1);
    await runDurableObjectAlarm(objectOf(space));
    expect(await queueSql(space, "SELECT owner FROM budgets UNION ALL SELECT key FROM outcomes")).toEqual([]);
    expect(await runDurableObjectAlarm(objectOf(space))).toBe(false);
  });

  test("a budget stays until its window is over", async () => {
    const { space, media, queue, request } = await start();
    await queue.admit(request);
    await queue.settled(request.key);
    moveClock(QUEUE.coldWindowMs - 60_000);
    const later = requestFor(media, { width: 501, client: "192.0.2.2" });
    await queue.admit(later);
    await queue.settled(later.key);
    moveClock(61_000);
    await runDurableObjectAlarm(objectOf(space));
    // The space's own window began anew with the later charge only if the first was over by then: it was not.
    expect(await queueSql(space, "SELECT owner FROM budgets")).toEqual([{ owner: "client:192.0.2.2" }]);
    moveClock(QUEUE.coldWindowMs);
    expect(await runDurableObjectAlarm(objectOf(space))).toBe(true);
    expect(await queueSql(space, "SELECT owner FROM budgets")).toEqual([]);
  });

  test("a row that cannot be read is removed, and the next one is built", async () => {
    const { space, media, queue } = await start();
    const gate = new Gate();
    builder.next(gate.hold);
    const [running, spoilt, last] = requestsFor(media, 3, 1);
    if (!running || !spoilt || !last) throw new Error("three requests");
    for (const request of [running, spoilt, last]) await queue.admit(request);
    await queueSql(space, "UPDATE jobs SET request = '{\"key\":1}' WHERE key = ?", spoilt.key);
    const settled = queue.settled(spoilt.key);
    gate.open();
    expect(await settled).toEqual({ state: "unknown" });
    expect(await queue.settled(last.key)).toEqual({ state: "built" });
    expect(builder.widths()).toEqual([1, 3]);
  });

  test("a row of a newer version keeps its unknown fields when it is built", async () => {
    const { space, media, queue } = await start();
    const gate = new Gate();
    builder.next(gate.hold);
    const [running, newer] = requestsFor(media, 2, 1);
    if (!running || !newer) throw new Error("two requests");
    for (const request of [running, newer]) await queue.admit(request);
    await queueSql(
      space,
      "UPDATE jobs SET request = json_set(request, '$.later', 1, '$.order.later', 2) WHERE key = ?",
      newer.key,
    );
    gate.open();
    expect(await queue.settled(newer.key)).toEqual({ state: "built" });
    expect(builder.orders()[1]).toMatchObject({ later: 2 });
  });

  test("a cleared queue has no data, ends its build and can be used again", async () => {
    const { media, queue, request } = await start();
    builder.next(hangs);
    await queue.admit(request);
    await queue.admit(requestFor(media, { width: 501 }));
    const settled = queue.settled(request.key);
    await builder.called(1);
    await queue.clear();
    expect(await settled).toEqual({ state: "failed", reason: "the space was removed" });
    expect(await queue.usage()).toEqual({
      lightWaiting: 0,
      heavyWaiting: 0,
      running: 0,
      failuresRemembered: 0,
      coldBudgetUsed: 0,
      coldBudgetMax: QUEUE.coldPerSpaceMax,
    });
    expect(await queue.admit(request)).toEqual({ state: "accepted", lane: "light" });
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
  });
});
