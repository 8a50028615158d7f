/** How the clients of one space share its queue (RULES 8.1). */
import { describe, expect, test } from "vitest";
import { QUEUE } from "../../../src/limits.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { builder, Gate, hangs } from "../support/builder/fake-builder.ts";
import { crash, queueOf, queueSql, requestFor, requestsFor, type Wish } from "../support/queue.ts";
import { makeMedia, makeSpace } from "../support/rows.ts";

cleanBetweenTests();

const [GREEDY, OTHER, THIRD] = ["192.0.2.1", "198.51.100.7", "2001:db8:0:1::/64"] as const;

async function start() {
  const space = await makeSpace();
  const media = await makeMedia(space);
  const queue = queueOf(space);
  const admit = (wish: Wish) => queue.admit(requestFor(media, wish));
  return { space, media, queue, admit };
}

describe("places", () => {
  test.each([
    ["light", QUEUE.lightWaitingPerClientMax, QUEUE.lightWaitingMax],
    ["heavy", QUEUE.heavyWaitingPerClientMax, QUEUE.heavyWaitingMax],
  ] as const)("%s: one client holds %i of %i, and others the rest", async (lane, share, max) => {
    const { admit, queue } = await start();
    builder.always(hangs);
    // The first one runs and holds no place.
    for (let width = 1; width <= 1 + share; width++) {
      expect(await admit({ width, lane, client: GREEDY })).toEqual({ state: "accepted", lane });
    }
    const refused = { state: "overloaded", lane, isShareOfClient: true };
    expect(await admit({ width: 500, lane, client: GREEDY })).toEqual(refused);
    expect((await queue.usage()).coldBudgetUsed).toBe(1 + share);
    for (let width = 600; width < 600 + max - share; width++) {
      expect(await admit({ width, lane, client: OTHER })).toEqual({ state: "accepted", lane });
    }
    expect(await admit({ width: 700, lane, client: OTHER })).toEqual({ state: "overloaded", lane });
    expect(await admit({ width: 700, lane, client: THIRD })).toEqual({ state: "overloaded", lane });
  });

  test("a client with a full share of one lane has its share of the other", async () => {
    const { admit } = await start();
    builder.always(hangs);
    for (let width = 1; width <= 2 + QUEUE.heavyWaitingPerClientMax; width++) {
      await admit({ width, lane: "heavy", client: GREEDY });
    }
    expect(await admit({ width: 500, client: GREEDY })).toEqual({ state: "accepted", lane: "light" });
  });

  test("a variant that was ordered ahead takes a place of the client that asks for it", async () => {
    const { media, admit, queue } = await start();
    builder.always(hangs);
    await admit({ width: 1000, client: GREEDY });
    const ahead = requestFor(media, { width: 700 });
    await queue.buildWhenIdle({ ...ahead, client: "" });
    for (let width = 1; width < QUEUE.lightWaitingPerClientMax; width++) {
      await admit({ width, client: GREEDY });
    }
    expect(await queue.admit({ ...ahead, client: GREEDY })).toMatchObject({ state: "accepted" });
    expect(await admit({ width: 500, client: GREEDY })).toMatchObject({ state: "overloaded" });
  });
});

describe("turns", () => {
  test("clients are built for in turn, and each client in order of arrival", async () => {
    const { media, queue, admit } = await start();
    const gate = new Gate();
    builder.next(gate.hold);
    for (let width = 1; width <= 5; width++) await admit({ width, lane: "heavy", client: GREEDY });
    for (const width of [101, 102, 103]) await admit({ width, lane: "heavy", client: OTHER });
    await admit({ width: 201, lane: "heavy", client: THIRD });
    gate.open();
    await queue.settled(requestFor(media, { width: 5, lane: "heavy" }).key);
    // The first one ran already. Of those that wait, each round has one build of each client.
    expect(builder.widths()).toEqual([1, 2, 101, 201, 3, 102, 4, 103, 5]);
    expect(builder.runningMax()).toBe(1);
  });

  test("a client that comes late is next, whatever another has waiting", async () => {
    const { media, queue, admit } = await start();
    const gates = [new Gate(), new Gate(), new Gate()] as const;
    for (const { hold } of gates) builder.next(hold);
    for (let width = 1; width <= 12; width++) await admit({ width, client: GREEDY });
    gates[0].open();
    gates[1].open();
    await builder.called(3);
    await admit({ width: 101, client: OTHER });
    gates[2].open();
    await queue.settled(requestFor(media, { width: 12 }).key);
    expect(builder.widths().slice(0, 5)).toEqual([1, 2, 3, 4, 101]);
  });

  test("a client that was away saves no turns up", async () => {
    const { media, queue, admit } = await start();
    const gates = [new Gate(), new Gate(), new Gate()] as const;
    for (const { hold } of gates) builder.next(hold);
    for (let width = 1; width <= 8; width++) await admit({ width, client: GREEDY });
    gates[0].open();
    gates[1].open();
    await builder.called(3);
    for (const width of [101, 102, 103]) await admit({ width, client: OTHER });
    gates[2].open();
    await queue.settled(requestFor(media, { width: 8 }).key);
    expect(builder.widths()).toEqual([1, 2, 3, 4, 101, 5, 102, 6, 103, 7, 8]);
  });

  test("after eight light builds a heavy one runs, whichever clients they are of", async () => {
    const { media, queue, admit } = await start();
    const gate = new Gate();
    builder.next(gate.hold);
    const heavy = requestFor(media, { width: 1001, lane: "heavy", client: OTHER });
    for (let width = 1; width <= 10; width++) {
      await admit({ width, client: width % 2 === 0 ? GREEDY : THIRD });
      if (width === 1) await queue.admit(heavy);
    }
    gate.open();
    await queue.settled(heavy.key);
    expect(builder.widths().indexOf(1001)).toBe(8);
  });
});

describe("rows of the previous version", () => {
  /** Makes the tables as the previous version made them. */
  const asBefore = async (space: Parameters<typeof queueSql>[0]) => {
    await queueSql(space, "ALTER TABLE jobs DROP COLUMN client");
    await queueSql(space, "ALTER TABLE jobs DROP COLUMN round");
  };

  test("are built in their order, before what is asked for now", async () => {
    const { space, media } = await start();
    builder.next(hangs);
    const old = requestsFor(media, 4, 1);
    for (const request of old) await queueOf(space).admit(request);
    await builder.called(1);
    await asBefore(space);
    await crash(space);
    const queue = queueOf(space);
    const added = requestFor(media, { width: 101, client: OTHER });
    await queue.admit(added);
    for (const { key } of [...old, added]) await queue.settled(key);
    expect(builder.widths()).toEqual([1, 1, 2, 3, 4, 101]);
    expect(await queueSql(space, "SELECT key FROM jobs")).toEqual([]);
  });
});
