/** `GET /activity`: the memory of a space's queue about its work (RULES 8.6). */
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { ACTIVITY, QUEUE } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { builder, fails, Gate } from "../support/builder/fake-builder.ts";
import { objectOf, queueOf, queueSql, requestFor, requestsFor, fromManyClients } from "../support/queue.ts";
import { makeMedia } from "../support/rows.ts";

cleanBetweenTests();

interface Build {
  mediaId: string;
  file: string;
  lane: string;
  state: string;
  milliseconds: number;
  bytes: number | null;
  reason: string | null;
  tries: number;
}

interface Counts {
  at: string;
  admitted: number;
  coalesced: number;
  refused: number;
  built: number;
  failed: number;
}

interface Lane {
  waiting: number;
  max: number;
  oldestAt: string | null;
}

interface Activity {
  builds: Build[];
  perSecond: Counts[];
  queue: { light: Lane; heavy: Lane; running: number };
  budget: { used: number; max: number; resetsAt: string | null };
}

async function start() {
  const client = await Client.make();
  const media = await makeMedia(client.space);
  const read = async (): Promise<Activity> => (await client.call<Activity>("GET", "/activity")).data;
  return { client, media, queue: queueOf(client.space), read };
}

const sum = (counts: Counts[], name: Exclude<keyof Counts, "at">): number =>
  counts.reduce((total, second) => total + second[name], 0);

describe("the activity", () => {
  test("of a space without requests is empty", async () => {
    const { read } = await start();
    const lane = (max: number) => ({ waiting: 0, max, oldestAt: null });
    expect(await read()).toEqual({
      builds: [],
      perSecond: [],
      queue: {
        light: lane(QUEUE.lightWaitingMax),
        heavy: lane(QUEUE.heavyWaitingMax),
        idle: lane(QUEUE.idleWaitingMax),
        running: 0,
      },
      budget: { used: 0, max: QUEUE.coldPerSpaceMax, resetsAt: null },
    });
  });

  test("lists builds with their outcomes, newest first, and counts them", async () => {
    const { media, queue, read } = await start();
    const [good, bad] = requestsFor(media, 2, 500);
    builder.next((call) => call.readMaster().then(() => fails("not a picture")(call)));
    for (const request of [bad, good]) {
      if (!request) throw new Error("There are two.");
      await queue.admit(request);
      await queue.settled(request.key);
    }
    const { builds, perSecond, budget } = await read();
    expect(builds).toMatchObject([
      { mediaId: media.id, masterVersion: 1, file: good?.file, width: 500, format: "webp", quality: 80 },
      { file: bad?.file, lane: "light", state: "failed", bytes: null, reason: "not a picture", tries: 1 },
    ]);
    expect(builds[0]).toMatchObject({ state: "built", bytes: "master at 500".length, reason: null });
    expect(builds[0]?.milliseconds).toBeGreaterThanOrEqual(0);
    expect([sum(perSecond, "admitted"), sum(perSecond, "built"), sum(perSecond, "failed")]).toEqual([
      2, 1, 1,
    ]);
    expect(budget.used).toBe(2);
    expect(new Date(budget.resetsAt ?? 0).getTime()).toBeGreaterThan(Date.now());
  });

  test("counts joined and refused requests, and shows how many jobs wait and since when", async () => {
    const { media, queue, read } = await start();
    const gate = new Gate();
    builder.always(gate.hold);
    moveClock(0);
    const before = new Date(Date.now()).toISOString();
    const requests = fromManyClients(requestsFor(media, QUEUE.lightWaitingMax + 2, 500));
    for (const request of requests) await queue.admit(request);
    await queue.admit(requestFor(media, { width: 500 }));
    const { perSecond, queue: state } = await read();
    expect(perSecond).toMatchObject([{ admitted: QUEUE.lightWaitingMax + 1, coalesced: 1, refused: 1 }]);
    expect(state).toMatchObject({
      light: { waiting: QUEUE.lightWaitingMax, oldestAt: before },
      heavy: { waiting: 0, oldestAt: null },
      running: 1,
    });
    gate.open();
  });

  test(`keeps ${ACTIVITY.buildsMax} builds`, async () => {
    const { client, media, queue, read } = await start();
    const [first, ...others] = requestsFor(media, 3, 500);
    if (!first) throw new Error("There are three.");
    await queue.admit(first);
    await queue.settled(first.key);
    await queueSql(
      client.space,
      `INSERT INTO recent_builds (key, lane, state, milliseconds, tries, ended_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       SELECT (SELECT key FROM recent_builds), 'light', 'built', 1, 1, 1 FROM n`,
      ACTIVITY.buildsMax - 1,
    );
    expect((await read()).builds).toHaveLength(ACTIVITY.buildsMax);
    for (const request of others) {
      await queue.admit(request);
      await queue.settled(request.key);
    }
    const { builds } = await read();
    expect(builds).toHaveLength(ACTIVITY.buildsMax);
    expect(builds.slice(0, 2).map(({ file }) => file)).toEqual(others.map(({ file }) => file).toReversed());
  });

  test("keeps counts for an hour", async () => {
    const { media, queue, read } = await start();
    moveClock(0);
    const request = requestFor(media, { width: 500 });
    await queue.admit(request);
    await queue.settled(request.key);
    moveClock(ACTIVITY.countsMs - 1000);
    expect((await read()).perSecond).toMatchObject([{ admitted: 1, built: 1 }]);
    moveClock(2000);
    expect((await read()).perSecond).toEqual([]);
    expect((await read()).builds).toHaveLength(1);
  });

  test("survives the queue's object", async () => {
    const { client, media, queue, read } = await start();
    // Within one second.
    moveClock(0);
    const request = requestFor(media, { width: 500 });
    await queue.admit(request);
    await queue.settled(request.key);
    await evictDurableObject(objectOf(client.space));
    const { builds, perSecond } = await read();
    expect(builds).toMatchObject([{ file: request.file, state: "built" }]);
    expect(perSecond).toMatchObject([{ admitted: 1, built: 1 }]);
  });

  test("is for keys of the space", async () => {
    const { client } = await start();
    const reader = { key: await client.key("read") };
    const stranger = { key: await (await Client.make()).key("read") };
    expect((await client.call("GET", "/activity", undefined, reader)).status).toBe(200);
    expect((await client.call("GET", "/activity", undefined, stranger)).status).toBe(404);
    expect((await client.call("GET", "/activity", undefined, { key: null })).status).toBe(401);
    expect((await client.call("GET", "/activity?limit=1", undefined, reader)).status).toBe(400);
  });
});
