/** Placeholders of a space whose visitors never pause (RULES 9.6). */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { PLACEHOLDER } from "../../../../src/limits.ts";
import { cleanBetweenTests, moveClock } from "../../support/clean.ts";
import { eventually } from "../../support/eventually.ts";
import { builder, Gate, makes } from "../../support/builder/fake-builder.ts";
import { hangs, MADE, rowOf, start, untilRow } from "../../support/builder/placeholders.ts";
import { objectOf, requestFor } from "../../support/queue.ts";

cleanBetweenTests();

/** Starts a planned placeholder and one build, which runs until the gate is opened while others wait. */
async function startBusy() {
  const { space, media, queue } = await start();
  const gate = new Gate();
  await queue.makePlaceholders(space.id);
  builder.next(gate.hold);
  const requests = [1, 2, 3].map((width) => requestFor(media, { width }));
  for (const request of requests) await queue.admit(request);
  await builder.called(1);
  const allBuilt = () => Promise.all(requests.map(({ key }) => queue.settled(key)));
  return { space, media, queue, gate, allBuilt };
}

describe("a placeholder that has given way to builds", () => {
  test("for the longest time comes before those that wait, and none ends it", async () => {
    const { media, gate, allBuilt } = await startBusy();
    let builtBefore: number[] = [];
    builder.nextPlaceholders((call) => {
      builtBefore = builder.widths();
      return makes(call);
    });
    moveClock(PLACEHOLDER.postponedMaxMs);
    gate.open();
    await allBuilt();
    expect(builtBefore).toEqual([1]);
    expect(builder.placeholderOrders()).toMatchObject([{ isOverdue: true }]);
    await untilRow(media, MADE);
  });

  test("for less goes on giving way", async () => {
    const { media, gate, allBuilt } = await startBusy();
    moveClock(PLACEHOLDER.postponedMaxMs - 1);
    gate.open();
    await allBuilt();
    expect(builder.placeholderOrders()).toEqual([]);
    expect(await rowOf(media)).not.toEqual(MADE);
  });

  test("holds builds up for its turn and no longer", async () => {
    const { space, gate, allBuilt } = await startBusy();
    builder.nextPlaceholders(hangs);
    moveClock(PLACEHOLDER.postponedMaxMs);
    gate.open();
    await builder.placeholdersCalled(1);
    expect(builder.widths()).toEqual([1]);
    moveClock(PLACEHOLDER.turnMaxMs);
    await runDurableObjectAlarm(objectOf(space));
    expect((await allBuilt()).map(({ state }) => state)).toEqual(["built", "built", "built"]);
  });

  test("lets builds go on while the builder is busy, and asks it again soon", async () => {
    const { space, media, gate, allBuilt } = await startBusy();
    builder.nextPlaceholders(() => ({ ok: false, code: "busy" }));
    moveClock(PLACEHOLDER.postponedMaxMs);
    gate.open();
    await allBuilt();
    expect(builder.placeholderOrders()).toHaveLength(1);
    await eventually(async () => {
      moveClock(PLACEHOLDER.quietMs);
      await runDurableObjectAlarm(objectOf(space));
      expect(await rowOf(media)).toEqual(MADE);
    });
    expect(builder.placeholderOrders().every(({ isOverdue }) => isOverdue)).toBe(true);
  });
});

test("a builder that is busy with other spaces is asked for a turn at the next try", async () => {
  const { space, media, queue } = await start();
  builder.nextPlaceholders(() => ({ ok: false, code: "busy" }));
  await queue.makePlaceholders(space.id);
  moveClock(PLACEHOLDER.quietMs);
  await runDurableObjectAlarm(objectOf(space));
  await builder.placeholdersCalled(1);
  await eventually(async () => {
    moveClock(PLACEHOLDER.postponedMaxMs);
    await runDurableObjectAlarm(objectOf(space));
    expect(await rowOf(media)).toEqual(MADE);
  });
  const orders = builder.placeholderOrders();
  expect([orders[0]?.isOverdue, orders.at(-1)?.isOverdue]).toEqual([false, true]);
});
