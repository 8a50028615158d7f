/** Idle work beside visitors' fetches (RULES 9.6, 9.7, 13.4). */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { HOUR_MS, PLACEHOLDER } from "../../../src/limits.ts";
import { builder, Gate, hangs, makes } from "../support/builder/fake-builder.ts";
import { MADE, untilRow } from "../support/builder/placeholders.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { objectOf, queueOf, queueSql, requestFor } from "../support/queue.ts";
import { useRemoteSite, visitorsFirst } from "../support/remote/site.ts";
import { bindings, makeMedia, variantFiles } from "../support/rows.ts";

cleanBetweenTests();
const site = useRemoteSite();

/** Has a build ahead of time run. */
async function start() {
  const { space } = site.client;
  const media = await makeMedia(space);
  await bindings.DB.prepare("UPDATE masters SET placeholder_tries = NULL").run();
  const ahead = requestFor(media, { width: 500 });
  const queue = queueOf(space);
  builder.next(hangs);
  moveClock(0);
  await queue.buildWhenIdle(ahead);
  await later();
  await builder.called(1);
  return { media, ahead, queue };
}

/** Lets the time of quiet be over. */
async function later(): Promise<void> {
  moveClock(PLACEHOLDER.quietMs);
  await runDurableObjectAlarm(objectOf(site.client.space));
}

describe("a visitor's fetch", () => {
  it("stops a build ahead of time, which is made once it is quiet, while the fetch still runs", async () => {
    const { media, ahead, queue } = await start();
    visitorsFirst(HOUR_MS);
    expect(await site.ask("/a", "w=64")).toMatchObject({ state: "queued" });
    expect(await queue.usage()).toMatchObject({ running: 0 });
    expect(await queueSql(site.client.space, "SELECT lane, attempts FROM jobs")).toEqual([
      { lane: "idle", attempts: 0 },
    ]);
    await later();
    await eventually(async () => expect(await variantFiles(media)).toEqual([ahead.file]));
    expect(builder.widths()).toEqual([500, 500]);
    expect(await queue.fetches()).toMatchObject({ running: 1 });
  });

  it("that is not admitted leaves it alone", async () => {
    await site.ask("/gone", "w=64");
    await site.fetchesOver(1);
    const { queue } = await start();
    expect(await site.ask("/gone", "w=64")).toMatchObject({ state: "unavailable" });
    expect(await queue.usage()).toMatchObject({ running: 1 });
  });

  it("lets a placeholder end that has its turn", async () => {
    const { space } = site.client;
    const media = await makeMedia(space);
    const [queue, gate] = [queueOf(space), new Gate()];
    moveClock(0);
    await queue.makePlaceholders(space.id);
    builder.next(gate.hold);
    await queue.admit(requestFor(media, { width: 500 }));
    await builder.called(1);
    let isAnswered = false;
    builder.nextPlaceholders(async (call) => {
      expect(await site.ask("/a", "w=64")).toMatchObject({ state: "queued" });
      isAnswered = true;
      return makes(call);
    });
    moveClock(PLACEHOLDER.postponedMaxMs);
    gate.open();
    await untilRow(media, MADE);
    expect(isAnswered).toBe(true);
    expect(builder.placeholderOrders()).toMatchObject([{ isOverdue: true }]);
  });
});
