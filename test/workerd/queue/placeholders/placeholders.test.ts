/** Placeholders: made while nothing else is to be done, once for each version of a master, whatever happens. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { PLACEHOLDER as LIMITS } from "../../../../src/limits.ts";
import { cleanBetweenTests, moveClock } from "../../support/clean.ts";
import { eventually } from "../../support/eventually.ts";
import { builder, crashes, Gate, makes } from "../../support/builder/fake-builder.ts";
import {
  bare,
  hangs,
  later,
  MADE,
  rowOf,
  start,
  untilDone,
  untilDueMs,
  untilRow,
} from "../../support/builder/placeholders.ts";
import { objectOf, queueOf, queueSql, requestFor } from "../../support/queue.ts";
import { JPEG_FACTS, makeMedia, makeSpace, variantFiles } from "../../support/rows.ts";

cleanBetweenTests();

describe("an idle queue", () => {
  test("makes the placeholders of its space after a pause, newest first, and then rests", async () => {
    const { space, media, queue } = await start("first");
    const second = await makeMedia(space, JPEG_FACTS, "second");
    const stranger = await makeMedia(await makeSpace(), JPEG_FACTS, "of another space");
    await queue.makePlaceholders(space.id);
    expect(await later(space, LIMITS.quietMs - 1)).toBe(true);
    expect(builder.placeholderOrders()).toEqual([]);
    await later(space, 1);
    await untilRow(media, MADE);
    await untilDone(space);
    expect(await rowOf(second)).toEqual(MADE);
    expect(await rowOf(stranger)).toEqual(bare(0));
    const sizes = builder.placeholderOrders().map(({ sourceBytes }) => sourceBytes);
    expect(sizes).toEqual(["second".length, "first".length]);
    expect(builder.placeholderOrders()[0]?.size).toEqual({ width: 100, height: 75 });
    await later(space, 60_000);
    expect(await runDurableObjectAlarm(objectOf(space))).toBe(false);
  });

  test("charges no budget for them, and they take no place in a lane", async () => {
    const { space, media, queue } = await start();
    await queue.makePlaceholders(space.id);
    expect(await queue.usage()).toMatchObject({ lightWaiting: 0, heavyWaiting: 0, running: 0 });
    await later(space);
    await untilRow(media, MADE);
    expect(await queue.usage()).toMatchObject({ coldBudgetUsed: 0, running: 0 });
  });

  test("notices an announcement during its last look", async () => {
    const { space, media, queue } = await start();
    builder.nextPlaceholders(async (call) => {
      await makeMedia(space, JPEG_FACTS, "later");
      await queueOf(space).makePlaceholders(space.id);
      return makes(call);
    });
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilRow(media, MADE);
    await untilDone(space);
    expect(builder.placeholderOrders()).toHaveLength(2);
  });

  test("is not affected by repeated announcements", async () => {
    const { space, media, queue } = await start();
    await queue.makePlaceholders(space.id);
    moveClock(LIMITS.quietMs - 1);
    await queue.makePlaceholders(space.id);
    await later(space, 1);
    await untilRow(media, MADE);
    await untilDone(space);
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilDone(space);
    expect(builder.placeholderOrders()).toHaveLength(1);
  });
});

describe("a visitor", () => {
  test("does not wait for a placeholder: it is cancelled, and made when the queue is idle again", async () => {
    const { space, media, queue } = await start();
    builder.nextPlaceholders(hangs);
    await queue.makePlaceholders(space.id);
    await later(space);
    await builder.placeholdersCalled(1);
    const request = requestFor(media, { width: 500 });
    expect(await queue.admit(request)).toEqual({ state: "accepted", lane: "light" });
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(builder.placeholderOrders()).toHaveLength(1);
    await untilRow(media, bare(0));
    const untilQuietMs = await untilDueMs(space);
    expect(untilQuietMs).toBeLessThanOrEqual(LIMITS.quietMs);
    await later(space, untilQuietMs - 1);
    expect(builder.placeholderOrders()).toHaveLength(1);
    await later(space, 1);
    await untilRow(media, MADE);
    expect(builder.placeholderOrders()).toHaveLength(2);
  });

  test("who comes just after an upload is served first, and placeholders wait for another pause", async () => {
    const { space, media, queue } = await start();
    await queue.makePlaceholders(space.id);
    moveClock(LIMITS.quietMs - 10);
    const request = requestFor(media, { width: 500 });
    const gate = new Gate();
    builder.next(gate.hold);
    await queue.admit(request);
    await later(space, 10_000);
    expect(builder.placeholderOrders()).toEqual([]);
    gate.open();
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    await later(space, LIMITS.quietMs - 1);
    expect(builder.placeholderOrders()).toEqual([]);
    await later(space, 1);
    await untilRow(media, MADE);
  });

  test("whose job waits for its next try keeps placeholders waiting", async () => {
    const { space, media, queue } = await start();
    const request = requestFor(media, { width: 500 });
    builder.next(crashes);
    await queue.makePlaceholders(space.id);
    await queue.admit(request);
    await builder.called(1);
    await eventually(async () => expect((await queue.usage()).running).toBe(0));
    await queueSql(space, "UPDATE jobs SET retry_at = ?", Date.now() + 60_000);
    await queueSql(space, "UPDATE idle_work SET due_at = 0");
    await queue.wake();
    expect(builder.placeholderOrders()).toEqual([]);
    await later(space, 60_000);
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(await variantFiles(media)).toEqual([request.file]);
    await later(space);
    await untilRow(media, MADE);
  });
});
