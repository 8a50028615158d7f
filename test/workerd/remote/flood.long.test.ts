/** Thousands of different addresses: the work and the storage that they may cause stay bounded (RULES 13.3, 13.6). */
import { describe, expect, it } from "vitest";
import { DAY_MS, REMOTE } from "../../../src/limits.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { queueOf, queueSql } from "../support/queue.ts";
import { hangs } from "../support/remote/origin.ts";
import { useRemoteSite } from "../support/remote/site.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();
const site = useRemoteSite();

const ADDRESSES = 3000;
const FILE_BYTES = 100;
const KEPT_MAX = 50;

const rowsOf = async (table: string): Promise<number> =>
  (await queueSql<{ n: number }>(site.client.space, `SELECT count(*) AS n FROM ${table}`))[0]?.n ?? -1;

/** Returns how many rows each table of the queue has. */
async function rowsOfAll(): Promise<Record<string, number>> {
  const named = await queueSql<{ name: string }>(
    site.client.space,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'",
  );
  const counts: Record<string, number> = {};
  for (const { name } of named) counts[name] = await rowsOf(name);
  return counts;
}

/** Returns how many rows D1 has of fetched files, and of files that wait for their removal. */
const storedRows = () =>
  bindings.DB.prepare(
    "SELECT (SELECT count(*) FROM remotes) AS remotes, (SELECT count(*) FROM doomed_objects) AS doomed",
  ).first<{ remotes: number; doomed: number }>();

function tally(states: readonly (string | null)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const state of states) counts[String(state)] = (counts[String(state)] ?? 0) + 1;
  return counts;
}

describe("thousands of different addresses", () => {
  it("of one client cause 200 fetches, and keep no more than the plan allows", async () => {
    const queue = queueOf(site.client.space);
    await site.client.call("PATCH", "", { plan: { remoteBytes: KEPT_MAX * FILE_BYTES } });
    for (let n = 0; n < ADDRESSES; n++) site.origin.file(`/${n}`, gifOf(FILE_BYTES, n % 256));
    const states: (string | null)[] = [];
    const askUpTo = async (end: number): Promise<void> => {
      for (let n = states.length; n < end; n++) {
        const { status, state } = await site.ask(`/${n}`, "w=64");
        expect(status).toBe(302);
        states.push(state);
      }
      await eventually(async () => expect(await queue.fetches()).toMatchObject({ waiting: 0, running: 0 }));
    };
    await askUpTo(ADDRESSES / 3);
    const [rows, stored] = [await rowsOfAll(), await storedRows()];
    await askUpTo(ADDRESSES);
    // Two thousand more addresses have left nothing, so that a million leave nothing either.
    expect(await rowsOfAll()).toEqual(rows);
    expect(await storedRows()).toEqual(stored);
    expect(tally(states)).toEqual({
      queued: REMOTE.perClientMax,
      limited: ADDRESSES - REMOTE.perClientMax,
    });
    expect(site.origin.requests).toHaveLength(REMOTE.perClientMax);
    expect(site.origin.runningMax).toBeLessThanOrEqual(REMOTE.atOnceMax);
    expect(await site.usage()).toMatchObject({ pictures: KEPT_MAX, bytes: KEPT_MAX * FILE_BYTES });
    expect(await rowsOf("fetches")).toBe(0);
    expect(await rowsOf("recent_fetches")).toBe(REMOTE.recentMax);
    expect(await rowsOf("origin_fetches")).toBe(1);
    expect((await queue.usage()).coldBudgetUsed).toBe(REMOTE.perClientMax);
    await runSweep(Date.now() + 2 * DAY_MS);
    await runSweep(Date.now() + 2 * DAY_MS);
    const masters = await bindings.BUCKET.list({ prefix: "m/" });
    expect(masters.objects).toHaveLength(KEPT_MAX);
    // In 30 days, no visitor has asked for them.
    for (let day = 31; day <= 34; day++) await runSweep(Date.now() + day * DAY_MS);
    expect(await site.usage()).toMatchObject({ pictures: 0, bytes: 0 });
    expect((await bindings.BUCKET.list()).objects).toHaveLength(0);
  });

  it("of many clients, while the origin hangs, fill the lane and no more", async () => {
    const clients = 10;
    const addresses = REMOTE.waitingMax + 300;
    for (let n = 0; n < addresses; n++) site.origin.on(`/${n}`, hangs);
    const states: (string | null)[] = [];
    for (let n = 0; n < addresses; n++)
      states.push((await site.ask(`/${n}`, "w=64", `198.51.100.${n % clients}`)).state);
    const { waiting, running, origins } = await queueOf(site.client.space).fetches();
    expect(running).toBeLessThanOrEqual(REMOTE.atOnceMax);
    expect(waiting).toBeLessThanOrEqual(REMOTE.waitingMax);
    expect(site.origin.runningMax).toBe(REMOTE.atOnceMax);
    // On a slow machine, some fetches are over already: each has let one more in. A fetch that ends may be tried again
    // and end again, so the answers tell how many were let in.
    const ended = origins.reduce((sum, { fetched, failed }) => sum + fetched + failed, 0);
    const queued = tally(states).queued ?? 0;
    expect(queued).toBeLessThanOrEqual(waiting + running + ended);
    expect(queued).toBeGreaterThanOrEqual(REMOTE.waitingMax);
    expect(tally(states)).toEqual({ queued, overloaded: addresses - queued });
  });
});
