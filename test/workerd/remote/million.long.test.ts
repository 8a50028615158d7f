/**
 * One client that asks for ever new addresses: the work and the storage that it causes follow from its budget, not from
 * how much it asks (RULES 13.3, 13.6). With `ADDRESSES=1000000` it asks as fast as the flood ceiling lets it, 6,000 in
 * each of 167 minutes, which takes a quarter of an hour. In the second ring it asks for 17,500 in 70 minutes.
 */
import { runInDurableObject } from "cloudflare:test";
import { expect, inject, it, vi } from "vitest";
import type { FetchRequest, SpaceQueueApi } from "../../../src/edge/messages.ts";
import { CACHE, DAY_MS, DELIVERY, HOUR_MS, MINUTE_MS, QUEUE, REMOTE } from "../../../src/limits.ts";
import { builder } from "../support/builder/fake-builder.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { objectOf, queueOf, queueSql } from "../support/queue.ts";
import { ORIGIN } from "../support/remote/origin.ts";
import { useRemoteSite } from "../support/remote/site.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();
const site = useRemoteSite();

const ADDRESSES = inject("addresses");
const CLIENT = "192.0.2.1";
const FILE_BYTES = 100;
const KEPT_MAX = 50;
/** For a million on a busy machine. */
const MAX_MS = HOUR_MS;
const WINDOW_MINUTES = QUEUE.coldWindowMs / MINUTE_MS;
/** Longer than the time for which removed files wait, so that what they come to is seen. */
const MINUTES_MIN = (CACHE.bytesOutliveRowMs + QUEUE.coldWindowMs) / MINUTE_MS;
const MINUTES = Math.max(MINUTES_MIN, Math.ceil(ADDRESSES / DELIVERY.floodRequestsPerMinute));
const WINDOWS = Math.ceil(MINUTES / WINDOW_MINUTES);
/** Requests of a minute that go the whole way from the edge although the client is limited already. */
const WHOLE_WAY = 5;
/** Returns how many addresses have been asked for at the end of a minute. */
const askedBy = (minute: number): number => Math.floor((ADDRESSES * (minute + 1)) / MINUTES);
/** The files that may wait for their removal an hour after the plan had no room for them: masters, and their variants. */
const REMOVED_MAX = 2 * REMOTE.perClientMax * (1 + CACHE.bytesOutliveRowMs / QUEUE.coldWindowMs);

/** Asks the queue for so many addresses in its own object. @returns how many of them were limited */
const askQueue = (first: number, count: number): Promise<number> =>
  runInDurableObject(objectOf(site.client.space), async (instance) => {
    const queue = instance as unknown as SpaceQueueApi;
    const spaceId = site.client.space.id;
    let limited = 0;
    for (let n = first; n < first + count; n++) {
      const hash = n.toString(16).padStart(64, "0");
      const request: FetchRequest = {
        ...{ key: `r/${spaceId}/${hash}`, spaceId, hash, url: `${ORIGIN}/${n}`, client: CLIENT },
        ...{ wish: null, ownHosts: [] },
      };
      if ((await queue.admitFetch(request)).state === "limited") limited += 1;
    }
    return limited;
  });

/** Tells how far the test is. It is seen of a run that fails, and with `--silent=false`. */
const say = (line: object): void => console.error(JSON.stringify(line));

async function rowsOfQueue(): Promise<Record<string, number>> {
  const { space } = site.client;
  const named = await queueSql<{ name: string }>(
    space,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'",
  );
  const counts: Record<string, number> = {};
  for (const { name } of named) {
    const [row] = await queueSql<{ n: number }>(space, `SELECT count(*) AS n FROM ${name}`);
    counts[name] = row?.n ?? NaN;
  }
  return counts;
}

const bytesOfQueue = (): Promise<number> =>
  runInDurableObject(objectOf(site.client.space), (_, state) => state.storage.sql.databaseSize);

async function objectsStored(): Promise<number> {
  let [count, cursor] = [0, undefined as string | undefined];
  do {
    const page = await bindings.BUCKET.list(cursor === undefined ? {} : { cursor });
    count += page.objects.length;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return count;
}

const rowsOfD1 = () =>
  bindings.DB.prepare(
    `SELECT (SELECT count(*) FROM remotes) AS remotes, (SELECT count(*) FROM variants) AS variants,
       (SELECT count(*) FROM doomed_objects) AS doomed`,
  ).first<{ remotes: number; variants: number; doomed: number }>();

it("cause 200 fetches in ten minutes, and keep no more than the plan", { timeout: MAX_MS }, async () => {
  await site.client.call("PATCH", "", { plan: { remoteBytes: KEPT_MAX * FILE_BYTES } });
  site.origin.otherwise(({ url }) => new Response(gifOf(FILE_BYTES, Number(url.split("/").at(-1)) % 256)));
  const printed = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const states: Record<string, number> = {};
  let asked = 0;
  // Stops the clock: how many windows the minutes fall into must not depend on the time that the first one takes.
  moveClock(0);
  for (let minute = 0; minute < MINUTES; minute++) {
    const end = askedBy(minute);
    for (let limited = 0; limited < WHOLE_WAY; asked++) {
      const { status, state } = await site.ask(`/${asked}`, "w=64", CLIENT);
      expect(status).toBe(302);
      states[String(state)] = (states[String(state)] ?? 0) + 1;
      if (state === "limited") limited += 1;
    }
    expect(await askQueue(asked, end - asked)).toBe(end - asked);
    states.limited = (states.limited ?? 0) + end - asked;
    asked = end;
    await eventually(async () =>
      expect(await queueOf(site.client.space).fetches()).toMatchObject({ waiting: 0, running: 0 }),
    );
    await site.pass(MINUTE_MS);
    await runSweep(Date.now());
    if (minute % WINDOW_MINUTES === WINDOW_MINUTES - 1 || asked === ADDRESSES) {
      const [d1, objects, queue] = [await rowsOfD1(), await objectsStored(), await rowsOfQueue()];
      const fetched = site.origin.requests.length;
      say({ asked, fetched, ...d1, objects, bytes: await bytesOfQueue(), ...queue });
      expect(d1?.remotes).toBeLessThanOrEqual(KEPT_MAX);
      expect(objects).toBeLessThanOrEqual(2 * KEPT_MAX + REMOVED_MAX);
      expect(queue).toMatchObject({ fetches: 0, recent_fetches: REMOTE.recentMax, origin_fetches: 1 });
    }
  }
  const queries = printed.mock.calls
    .map(([line]) => String(line))
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { transform?: string; queries?: number })
    .filter(({ transform }) => transform === "limited")
    .map((line) => line.queries ?? NaN);
  printed.mockRestore();
  say({ queriesOfLimited: Math.max(...queries), of: queries.length });
  // The space and the picture, each of the nearest replica and then of the primary.
  expect(Math.max(...queries)).toBeLessThanOrEqual(4);
  expect(states).toEqual({
    queued: WINDOWS * REMOTE.perClientMax,
    limited: ADDRESSES - WINDOWS * REMOTE.perClientMax,
  });
  expect(site.origin.requests).toHaveLength(WINDOWS * REMOTE.perClientMax);
  expect(builder.orders().length).toBeLessThanOrEqual(WINDOWS * REMOTE.perClientMax);
  expect(site.origin.runningMax).toBeLessThanOrEqual(REMOTE.atOnceMax);
  expect(await site.usage()).toMatchObject({ pictures: KEPT_MAX, bytes: KEPT_MAX * FILE_BYTES });
  // In 30 days, no visitor has asked for the rest.
  for (let day = 31; day <= 34; day++) await runSweep(Date.now() + day * DAY_MS);
  expect(await site.usage()).toMatchObject({ pictures: 0, bytes: 0 });
  for (let day = 35; day <= 40; day++) await runSweep(Date.now() + day * DAY_MS);
  expect(await objectsStored()).toBe(0);
});
