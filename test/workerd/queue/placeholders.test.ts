/** Placeholders: made while nothing else is to be done, once for each version of a master, whatever happens. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test, vi } from "vitest";
import { PLACEHOLDER as LIMITS } from "../../../src/limits.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import {
  builder,
  crashes,
  Gate,
  makes,
  PLACEHOLDER,
  type PlaceholderBehaviour,
} from "../support/fake-builder.ts";
import {
  bare,
  hangs,
  later,
  MADE,
  NONE,
  PAUSE_MS,
  rowOf,
  start,
  untilDone,
  untilDueMs,
  untilPaused,
  untilRow,
} from "../support/placeholders.ts";
import { breakBinding, objectOf, queueOf, queueSql, requestFor } from "../support/queue.ts";
import { bindings, JPEG_FACTS, makeMedia, makeSpace, variantFiles } from "../support/rows.ts";

cleanBetweenTests();

const lost: PlaceholderBehaviour = () => {
  throw new Error("Network connection lost.");
};
const fails: PlaceholderBehaviour = () => ({ ok: false, code: "failed", reason: "not a picture" });
const busy: PlaceholderBehaviour = () => ({ ok: false, code: "busy" });

describe("a queue with nothing else to do", () => {
  test("makes the placeholders of its space once it is quiet, the newest first, and rests then", async () => {
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

  test("charges no budget, and holds no place in a lane", async () => {
    const { space, media, queue } = await start();
    await queue.makePlaceholders(space.id);
    expect(await queue.usage()).toMatchObject({ lightWaiting: 0, heavyWaiting: 0, running: 0 });
    await later(space);
    await untilRow(media, MADE);
    expect(await queue.usage()).toMatchObject({ coldBudgetUsed: 0, running: 0 });
  });

  test("takes what is announced while it looks for the last time", async () => {
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

  test("is announced again and again to no effect", async () => {
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
  test("does not wait for a placeholder: it is broken off, and made when all is quiet again", async () => {
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

  test("who comes just after an upload is served first, and it is quiet only some time after", async () => {
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
    await vi.waitFor(async () => expect((await queue.usage()).running).toBe(0));
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

describe("a try that comes to nothing", () => {
  test("because the picture cannot be decoded is the only one", async () => {
    const { space, media, queue } = await start();
    builder.alwaysPlaceholder(fails);
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilRow(media, NONE);
    await untilDone(space);
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilDone(space);
    expect(builder.placeholderOrders()).toHaveLength(1);
  });

  test("because the builder is lost, is counted, and others go first", async () => {
    const { space, media, queue } = await start("poison");
    builder.alwaysPlaceholder((call) =>
      call.order.sourceBytes === "poison".length ? lost(call) : makes(call),
    );
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilPaused(space);
    expect(await rowOf(media)).toEqual(bare(1));
    const other = await makeMedia(space, JPEG_FACTS, "sound");
    await later(space, PAUSE_MS);
    await vi.waitFor(async () => expect(await rowOf(other)).toEqual(MADE));
    await untilPaused(space);
    expect(await rowOf(media)).toEqual(bare(2));
    await later(space, PAUSE_MS);
    await untilRow(media, bare(3));
    await untilPaused(space);
    await later(space, PAUSE_MS);
    await untilRow(media, NONE);
    await untilDone(space);
    expect(builder.placeholderOrders()).toHaveLength(LIMITS.triesMax + 1);
    // Not to the same room again and again: one of them may be broken.
    expect(builder.placeholderRooms()).toEqual([3, 3, 2, 1]);
  });

  test.each([
    ["a builder that is busy", () => builder.nextPlaceholders(busy, busy, busy, busy, busy)],
    ["a builder that is down", () => builder.setReachable(false)],
  ])("because of %s is not counted", async (_, disturb) => {
    const { space, media, queue } = await start();
    disturb();
    await queue.makePlaceholders(space.id);
    await later(space);
    for (let round = 0; round < 5; round++) {
      await untilRow(media, bare(0));
      await untilPaused(space);
      if (round === 4) builder.setReachable(true);
      await later(space, PAUSE_MS);
    }
    await untilRow(media, MADE);
  });

  test("because nothing is answered is given up in time, and counted", async () => {
    const { space, media, queue } = await start();
    builder.nextPlaceholders(hangs);
    await queue.makePlaceholders(space.id);
    await later(space);
    await builder.placeholdersCalled(1);
    await later(space, 59_999);
    expect(builder.placeholderOrders()).toHaveLength(1);
    await later(space, 1);
    expect(await rowOf(media)).toEqual(bare(1));
    await later(space, PAUSE_MS);
    await untilRow(media, MADE);
    expect(builder.placeholderRooms()).toEqual([3, 2]);
  });

  test("because the master's file is gone, or is over the limits, is not tried again", async () => {
    const { space, media, queue } = await start();
    const huge = await makeMedia(space, { ...JPEG_FACTS, codedWidth: 10_000, codedHeight: 10_000 });
    await bindings.BUCKET.delete(media.masterKey);
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilRow(media, NONE);
    await vi.waitFor(async () => expect(await rowOf(huge)).toEqual(NONE));
    // What is over the limits is not even ordered.
    expect(builder.placeholderOrders()).toHaveLength(1);
  });

  test.each([
    ["markup", { thumbHash: '"><script>alert(1)</script>', dominantColor: "#000000" }],
    ["a colour of another kind", { ...PLACEHOLDER, dominantColor: "red" }],
    ["nothing", {} as typeof PLACEHOLDER],
  ])("because the builder answers %s writes nothing of it", async (_, placeholder) => {
    const { space, media, queue } = await start();
    builder.nextPlaceholders(() => ({ ok: true, placeholder, peakBytes: 1 }));
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilRow(media, NONE);
  });

  test.each([
    ["look for a master", "DB", "prepare"],
    ["read the master", "BUCKET", "get"],
  ] as const)(
    "because it could not %s is made up for, however long it could not",
    async (_, binding, method) => {
      const { space, media, queue } = await start();
      await queue.usage();
      const outages = LIMITS.triesMax + 2;
      await breakBinding(space, binding, method as never, outages);
      await queue.makePlaceholders(space.id);
      await later(space);
      for (let outage = 0; outage < outages; outage++) {
        await untilPaused(space);
        expect(await rowOf(media)).toEqual(bare(0));
        await later(space, PAUSE_MS);
      }
      await untilRow(media, MADE);
    },
  );
});
