/** The answers of the queue, and its charges (RULES 7.2, 8.2, 8.3). */
import { describe, expect, test } from "vitest";
import { QUEUE } from "../../../src/limits.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { builder, fails, Gate, hangs } from "../support/builder/fake-builder.ts";
import { fromManyClients, queueOf, queueSql, requestFor, requestsFor } from "../support/queue.ts";
import { bindings, makeMedia, makeSpace, type Space } from "../support/rows.ts";

cleanBetweenTests();

async function start() {
  const space = await makeSpace();
  const media = await makeMedia(space);
  return { space, media, queue: queueOf(space) };
}

/** Sets the budget as if so much had been charged within the current window. */
const setBudget = (space: Space, owner: string, used: number): Promise<unknown> =>
  queueSql(space, "UPDATE budgets SET used = ? WHERE owner = ?", used, owner);
const CLIENT = "192.0.2.1";

describe("states", () => {
  test("a cold variant is accepted, built, stored and offered", async () => {
    const { media, queue } = await start();
    const request = requestFor(media, { width: 500 });
    expect(await queue.admit(request)).toEqual({ state: "accepted", lane: "light" });
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    const object = await bindings.BUCKET.get(request.key);
    expect(await object?.text()).toBe("master at 500");
    expect(object?.httpMetadata).toEqual({
      contentType: "image/webp",
      cacheControl: "public, max-age=31536000, immutable",
    });
  });

  test("a heavy variant is accepted with its lane", async () => {
    const { media, queue } = await start();
    const request = requestFor(media, { width: 500, lane: "heavy" });
    expect(await queue.admit(request)).toEqual({ state: "accepted", lane: "heavy" });
    expect(await queue.admit(request)).toEqual({ state: "coalesced", lane: "heavy" });
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
  });

  test("a variant that was built a moment ago is a hit; later only D1 says so", async () => {
    const { media, queue } = await start();
    const request = requestFor(media, { width: 500 });
    await queue.admit(request);
    await queue.settled(request.key);
    expect(await queue.admit(request)).toEqual({ state: "hit" });
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    moveClock(61_000);
    expect(await queue.settled(request.key)).toEqual({ state: "unknown" });
    expect(await queue.admit(request)).toEqual({ state: "accepted", lane: "light" });
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
  });

  test("a failure is remembered for ten minutes, and no longer", async () => {
    const { media, queue } = await start();
    moveClock(0);
    builder.next(fails("not a picture"));
    const request = requestFor(media, { width: 500 });
    await queue.admit(request);
    expect(await queue.settled(request.key)).toEqual({ state: "failed", reason: "not a picture" });
    moveClock(QUEUE.failureMemoryMs - 1000);
    expect(await queue.admit(request)).toEqual({ state: "unavailable", reason: "not a picture" });
    expect(await queue.settled(request.key)).toEqual({ state: "failed", reason: "not a picture" });
    expect(builder.widths()).toEqual([500]);
    moveClock(2000);
    expect(await queue.admit(request)).toEqual({ state: "accepted", lane: "light" });
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
  });

  test("a key that nobody asked for is unknown", async () => {
    const { media, queue } = await start();
    expect(await queue.settled(requestFor(media, { width: 500 }).key)).toEqual({ state: "unknown" });
  });

  test("200 requests at once for one variant are one build, charged once", async () => {
    const { media, queue } = await start();
    const gate = new Gate();
    builder.always(gate.hold);
    const request = requestFor(media, { width: 500 });
    const admissions = await Promise.all(Array.from({ length: 200 }, () => queue.admit(request)));
    expect(admissions.filter(({ state }) => state === "accepted")).toHaveLength(1);
    expect(admissions.filter(({ state }) => state === "coalesced")).toHaveLength(199);
    const settled = Promise.all(admissions.map(() => queue.settled(request.key)));
    gate.open();
    expect(new Set((await settled).map(({ state }) => state))).toEqual(new Set(["built"]));
    expect(builder.widths()).toEqual([500]);
    expect((await queue.usage()).coldBudgetUsed).toBe(1);
  });

  test("the queues of two spaces are independent", async () => {
    const one = await start();
    const other = await start();
    builder.always(hangs);
    await one.queue.admit(requestFor(one.media, { width: 500 }));
    await other.queue.admit(requestFor(other.media, { width: 500 }));
    await builder.called(2);
    expect(builder.runningMax()).toBe(2);
  });
});

describe("budgets", () => {
  test("a client gets 600 variants in ten minutes, and the next one is limited", async () => {
    const { space, media, queue } = await start();
    builder.always(hangs);
    await queue.admit(requestFor(media, { width: 1 }));
    await setBudget(space, `client:${CLIENT}`, QUEUE.coldPerClientMax - 1);
    expect(await queue.admit(requestFor(media, { width: 2 }))).toMatchObject({ state: "accepted" });
    expect(await queue.admit(requestFor(media, { width: 3 }))).toEqual({
      state: "limited",
      budget: "client",
    });
    expect(await queue.admit(requestFor(media, { width: 3, client: "192.0.2.2" }))).toMatchObject({
      state: "accepted",
    });
  });

  test("a space gets 6000 variants, from all clients together", async () => {
    const { space, media, queue } = await start();
    builder.always(hangs);
    await queue.admit(requestFor(media, { width: 1 }));
    await setBudget(space, "space", QUEUE.coldPerSpaceMax - 1);
    expect(await queue.admit(requestFor(media, { width: 2, client: "192.0.2.2" }))).toMatchObject({
      state: "accepted",
    });
    expect(await queue.admit(requestFor(media, { width: 3, client: "192.0.2.3" }))).toEqual({
      state: "limited",
      budget: "space",
    });
    expect(await queue.usage()).toMatchObject({ coldBudgetUsed: 6000, coldBudgetMax: 6000 });
  });

  test("a window starts at its first charge and ends ten minutes later", async () => {
    const { space, media, queue } = await start();
    builder.always(hangs);
    moveClock(0);
    await queue.admit(requestFor(media, { width: 1 }));
    await setBudget(space, `client:${CLIENT}`, QUEUE.coldPerClientMax - 1);
    moveClock(QUEUE.coldWindowMs - 1);
    expect(await queue.admit(requestFor(media, { width: 2 }))).toMatchObject({ state: "accepted" });
    expect(await queue.admit(requestFor(media, { width: 3 }))).toMatchObject({ state: "limited" });
    moveClock(1);
    expect(await queue.admit(requestFor(media, { width: 3 }))).toMatchObject({ state: "accepted" });
    expect((await queue.usage()).coldBudgetUsed).toBe(1);
  });

  test("hits, repeats, refusals and remembered failures cost nothing", async () => {
    const { space, media, queue } = await start();
    const built = requestFor(media, { width: 1 });
    const failing = requestFor(media, { width: 2 });
    const waiting = requestFor(media, { width: 3 });
    await queue.admit(built);
    await queue.settled(built.key);
    builder.next(fails("broken"));
    await queue.admit(failing);
    await queue.settled(failing.key);
    builder.always(hangs);
    await queue.admit(waiting);
    await setBudget(space, `client:${CLIENT}`, QUEUE.coldPerClientMax);
    expect(await queue.admit(built)).toMatchObject({ state: "hit" });
    expect(await queue.admit(failing)).toMatchObject({ state: "unavailable" });
    expect(await queue.admit(waiting)).toMatchObject({ state: "coalesced" });
    expect(await queue.admit(requestFor(media, { width: 4 }))).toMatchObject({ state: "limited" });
    expect(await queue.usage()).toMatchObject({ coldBudgetUsed: 3, failuresRemembered: 1 });
  });
});

describe("lanes (RULES 8.1)", () => {
  test.each([
    ["light", QUEUE.lightWaitingMax],
    ["heavy", QUEUE.heavyWaitingMax],
  ] as const)(
    "%s: %i wait beside the one that runs, the next is overloaded and not charged",
    async (lane, max) => {
      const { media, queue } = await start();
      builder.always(hangs);
      for (const request of fromManyClients(requestsFor(media, 1 + max, 1, lane))) {
        expect(await queue.admit(request)).toEqual({ state: "accepted", lane });
      }
      expect(await queue.usage()).toMatchObject({ running: 1, [`${lane}Waiting`]: max });
      expect(await queue.admit(requestFor(media, { width: 500, lane }))).toEqual({
        state: "overloaded",
        lane,
      });
      expect((await queue.usage()).coldBudgetUsed).toBe(1 + max);
      const otherLane = lane === "light" ? "heavy" : "light";
      expect(await queue.admit(requestFor(media, { width: 600, lane: otherLane }))).toMatchObject({
        state: "accepted",
      });
    },
  );

  test("a used-up budget is reported before a full lane", async () => {
    const { space, media, queue } = await start();
    builder.always(hangs);
    await queue.admit(requestFor(media, { width: 400 }));
    const others = requestsFor(media, QUEUE.lightWaitingMax, 1);
    for (const request of fromManyClients(others)) await queue.admit(request);
    await setBudget(space, `client:${CLIENT}`, QUEUE.coldPerClientMax);
    expect(await queue.admit(requestFor(media, { width: 500 }))).toMatchObject({ state: "limited" });
  });

  test("light builds come first, a waiting heavy one after eight of them, and each lane is in order of arrival", async () => {
    const { media, queue } = await start();
    const gate = new Gate();
    builder.next(gate.hold);
    const heavy = requestsFor(media, 2, 1001, "heavy");
    const light = requestsFor(media, 12, 1);
    for (const request of [light[0], ...heavy, ...light.slice(1)]) if (request) await queue.admit(request);
    gate.open();
    await Promise.all([...light, ...heavy].map(({ key }) => queue.settled(key)));
    expect(builder.widths()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 1001, 9, 10, 11, 12, 1002]);
    expect(builder.runningMax()).toBe(1);
  });
});
