/** The figures of spaces' queues in `GET /api/v1/metrics`. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { fetchKey } from "../../../src/edge/remote/fetch-key.ts";
import { QUEUE, REMOTE } from "../../../src/limits.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { builder, busy, crashes, fails, Gate, type Behaviour } from "../support/builder/fake-builder.ts";
import { grown, scrape } from "../support/objects/metrics.ts";
import { later, start as startPlaceholders, untilDone } from "../support/builder/placeholders.ts";
import { objectOf, queueOf, queueSql, requestFor, requestsFor } from "../support/queue.ts";
import { makeMedia, makeSpace } from "../support/rows.ts";

cleanBetweenTests();

async function start() {
  const space = await makeSpace();
  const media = await makeMedia(space);
  return { space, media, queue: queueOf(space) };
}

const named = (name: string, labels: string): string => `silverprint_${name}{${labels}}`;
const LIGHT = 'format="webp",lane="light"';

describe("the figures of a queue", () => {
  test("count what was admitted and built, and how long it took", async () => {
    const { media, queue } = await start();
    const before = await scrape();
    builder.next(fails("not a picture"));
    for (const request of requestsFor(media, 2, 500)) {
      await queue.admit(request);
      await queue.settled(request.key);
      await queue.admit(request);
    }
    expect(grown(before, await scrape())).toMatchObject({
      [named("admissions_total", 'state="accepted"')]: 2,
      [named("admissions_total", 'state="unavailable"')]: 1,
      [named("admissions_total", 'state="hit"')]: 1,
      [named("builds_total", `${LIGHT},outcome="failed"`)]: 1,
      [named("builds_total", `${LIGHT},outcome="built"`)]: 1,
      [named("build_seconds_count", LIGHT)]: 1,
      [named("build_seconds_bucket", `${LIGHT},le="+Inf"`)]: 1,
    });
  });

  test("count refusals because of a used-up budget", async () => {
    const { space, media, queue } = await start();
    const [first, second] = requestsFor(media, 2, 500);
    if (!first || !second) throw new Error("There are two.");
    await queue.admit(first);
    await queueSql(space, "UPDATE budgets SET used = ? WHERE owner = 'space'", QUEUE.coldPerSpaceMax);
    const before = await scrape();
    await queue.admit(second);
    expect(grown(before, await scrape())).toMatchObject({
      [named("budget_refusals_total", 'budget="space"')]: 1,
    });
  });

  test("count fetches that are refused because of a used-up budget", async () => {
    const { space, queue } = await start();
    const ask = (hash: string) => {
      const key = fetchKey(space.id, hash);
      const url = `https://img.example.com/${hash}`;
      const client = "192.0.2.1";
      return queue.admitFetch({ key, spaceId: space.id, hash, url, client, wish: null, ownHosts: [] });
    };
    await ask("a");
    await queueSql(space, "UPDATE budgets SET used = ?", REMOTE.perClientMax);
    const before = await scrape();
    expect(await ask("b")).toMatchObject({ state: "limited" });
    expect(grown(before, await scrape())).toMatchObject({
      [named("budget_refusals_total", 'budget="fetches"')]: 1,
    });
  });

  test("count tries that go back to the queue", async () => {
    const { space, media, queue } = await start();
    moveClock(0);
    const before = await scrape();
    builder.next(...Array<Behaviour>(QUEUE.roomsPerSpace).fill(busy), crashes);
    const request = requestFor(media, { width: 500 });
    await queue.admit(request);
    const settled = queue.settled(request.key);
    await builder.called(QUEUE.roomsPerSpace);
    for (let calls = QUEUE.roomsPerSpace; calls < QUEUE.roomsPerSpace + 2; calls += 1) {
      await eventually(async () => expect(await queue.usage()).toMatchObject({ running: 0 }));
      moveClock(5000);
      await runDurableObjectAlarm(objectOf(space));
      await builder.called(calls + 1);
    }
    expect(await settled).toEqual({ state: "built" });
    expect(grown(before, await scrape())).toMatchObject({
      [named("busy_answers_total", 'lane="light"')]: 1,
      [named("build_retries_total", 'lane="light"')]: 1,
      [named("builds_total", `${LIGHT},outcome="built"`)]: 1,
    });
  });

  test("show how many jobs wait, and for how long", async () => {
    const { media, queue } = await start();
    const gate = new Gate();
    builder.always(gate.hold);
    const requests = requestsFor(media, 3, 500);
    for (const request of requests) await queue.admit(request);
    const waiting = await scrape();
    expect(waiting.get(named("queue_depth", 'lane="light"'))).toBe(2);
    expect(waiting.get(named("queue_oldest_seconds", 'lane="light"'))).toBeGreaterThan(0);
    await queue.clear();
    gate.open();
    expect((await scrape()).get(named("queue_depth", 'lane="light"'))).toBe(0);
  });

  test("count the outcomes of placeholders", async () => {
    const { space, queue } = await startPlaceholders();
    const before = await scrape();
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilDone(space);
    expect(grown(before, await scrape())).toMatchObject({
      [named("placeholders_total", 'outcome="made"')]: 1,
    });
  });

  test("count builds ahead by their own name", async () => {
    const { space, media, queue } = await start();
    const before = await scrape();
    await queue.buildWhenIdle(requestFor(media, { width: 500 }));
    await later(space);
    await untilDone(space);
    expect(grown(before, await scrape())).toMatchObject({
      [named("prebuilds_total", 'outcome="built"')]: 1,
      [named("builds_total", 'format="webp",lane="idle",outcome="built"')]: 1,
    });
  });
});
