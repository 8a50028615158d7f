/** Tries at a placeholder that fail: those that the queue repeats, when, and those that it does not. */
import { describe, expect, test } from "vitest";
import { PLACEHOLDER as LIMITS } from "../../../../src/limits.ts";
import { cleanBetweenTests } from "../../support/clean.ts";
import { eventually } from "../../support/eventually.ts";
import { CENTRE } from "../../../../src/image/geometry/focal-point.ts";
import {
  builder,
  CORRUPT,
  makes,
  PLACEHOLDER,
  type PlaceholderBehaviour,
} from "../../support/builder/fake-builder.ts";
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
} from "../../support/builder/placeholders.ts";
import { breakBinding } from "../../support/queue.ts";
import { bindings, JPEG_FACTS, makeMedia } from "../../support/rows.ts";

cleanBetweenTests();

const lost: PlaceholderBehaviour = () => {
  throw new Error("Network connection lost.");
};

const fails: PlaceholderBehaviour = () => ({
  ok: false,
  code: "failed",
  reason: "not a picture",
  failure: CORRUPT,
});

const busy: PlaceholderBehaviour = () => ({ ok: false, code: "busy" });

describe("a failed try", () => {
  test("because the picture cannot be decoded is not repeated", async () => {
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

  test("because the builder was lost is counted, and other masters go first", async () => {
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
    await eventually(async () => expect(await rowOf(other)).toEqual(MADE));
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

  test("because of a builder that is busy is not counted, and soon made up for", async () => {
    const { space, media, queue } = await start();
    builder.nextPlaceholders(busy, busy, busy, busy);
    await queue.makePlaceholders(space.id);
    await later(space);
    const { postponedMaxMs, turnPauseMs } = LIMITS;
    for (const pauseMs of [postponedMaxMs, turnPauseMs, turnPauseMs, turnPauseMs]) {
      await eventually(async () => expect(await untilDueMs(space)).toBe(pauseMs));
      expect(await rowOf(media)).toEqual(bare(0));
      await later(space, pauseMs);
    }
    await untilRow(media, MADE);
  });

  test("because of a builder that is down is not counted", async () => {
    const { space, media, queue } = await start();
    builder.setReachable(false);
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

  test("because there was no answer is ended in time, and counted", async () => {
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

  test("because the master's file is missing or over the limits is not repeated", async () => {
    const { space, media, queue } = await start();
    const huge = await makeMedia(space, { ...JPEG_FACTS, codedWidth: 10_000, codedHeight: 10_000 });
    await bindings.BUCKET.delete(media.masterKey);
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilRow(media, NONE);
    await eventually(async () => expect(await rowOf(huge)).toEqual(NONE));
    // The queue does not even order a placeholder over the limits.
    expect(builder.placeholderOrders()).toHaveLength(1);
  });

  test.each([
    ["markup", { thumbHash: '"><script>alert(1)</script>', dominantColor: "#000000" }],
    ["a colour of another kind", { ...PLACEHOLDER, dominantColor: "red" }],
    ["nothing", {} as typeof PLACEHOLDER],
  ])("because the builder answers %s writes nothing of it", async (_, placeholder) => {
    const { space, media, queue } = await start();
    builder.nextPlaceholders(() => ({ ok: true, placeholder, focalPoint: CENTRE, peakBytes: 1 }));
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
