/** A database that is set back to an earlier time, and a bucket that loses objects (RULES 10.12): each way round. */
import { describe, expect, it } from "vitest";
import { CACHE, PENDING_DELETE, RESTORE, SLICE } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { request } from "../support/http.ts";
import { bindings, databases, makeMedia, tableNames, SHARD } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

cleanBetweenTests();

const { DB, BUCKET } = bindings;
const DAY = 86_400_000;
const LATER = PENDING_DELETE.bytesOnTheWayMs + 60_000;

const rows = <Row>(sql: string): Promise<Row[]> =>
  DB.prepare(sql)
    .all<Row>()
    .then(({ results }) => results);
const isThere = async (key: string): Promise<boolean> => (await BUCKET.head(key)) !== null;

/** Copies all rows, as a bookmark of Time Travel holds them. @returns a function that brings them back */
async function bookmark(): Promise<() => Promise<void>> {
  const names = (await tableNames()).filter((name) => name !== "space_moves");
  const kept = new Map<string, Record<string, unknown>[]>();
  for (const name of names) kept.set(name, await rows<Record<string, unknown>>(`SELECT * FROM "${name}"`));
  return async () => {
    for (const [name, all] of [...kept].reverse()) {
      await DB.prepare(`/* fixture */ DELETE FROM "${name}"`).run();
      if (name === "space_totals" || name === "idempotency_callers") continue;
      for (const row of all) {
        const columns = Object.keys(row);
        await DB.prepare(
          `INSERT OR REPLACE INTO "${name}" (${columns.join()}) VALUES (${columns.map((_, n) => `?${n + 1}`).join()})`,
        )
          .bind(...columns.map((column) => row[column]))
          .run();
      }
    }
  };
}

/** Remembers the number of sweeps as the deployment does, outside of the database. */
function memory() {
  let known = 0;
  return {
    rememberRuns: (runs: number): Promise<number> => {
      const before = known;
      known = Math.max(known, runs);
      return Promise.resolve(before);
    },
  };
}

describe("bytes without a row", () => {
  it("are listed when they are a day old, kept for 30 days, and deleted then", async () => {
    const client = await Client.make();
    const lost = await makeMedia(client.space);
    const kept = await makeMedia(client.space);
    const variant = `v/${kept.spaceId}/${kept.id}/1/w64-q80-e1.webp`;
    await BUCKET.put(variant, "variant");
    await BUCKET.put("something/else", "not ours");
    await DB.batch([
      DB.prepare("DELETE FROM masters WHERE media_id = ?").bind(lost.id),
      DB.prepare("DELETE FROM media WHERE id = ?").bind(lost.id),
    ]);
    const now = Date.now();
    expect((await runSweep(now)).unclaimedObjects).toBe(0);
    const log: Record<string, unknown>[] = [];
    const report = await runSweep(now + LATER, { log: (event) => log.push(event) });
    expect(report.unclaimedObjects).toBe(2);
    expect(log).toContainEqual({ event: "objects-without-row", count: 2, first: [lost.masterKey, variant] });
    expect(await rows("SELECT key FROM doomed_objects WHERE found_at IS NOT NULL ORDER BY key")).toEqual([
      { key: lost.masterKey },
      { key: variant },
    ]);
    await runSweep(now + LATER + RESTORE.keptMs - 1);
    expect([await isThere(lost.masterKey), await isThere(variant)]).toEqual([true, true]);
    expect((await runSweep(now + LATER + RESTORE.keptMs)).removedObjects).toBe(2);
    expect([await isThere(lost.masterKey), await isThere(variant), await isThere(kept.masterKey)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await isThere("something/else")).toBe(true);
  });

  it("stay when a row claims them again within that time", async () => {
    const client = await Client.make();
    const media = await makeMedia(client.space);
    const bringBack = await bookmark();
    await DB.prepare("DELETE FROM masters").run();
    const now = Date.now();
    expect((await runSweep(now + LATER)).unclaimedObjects).toBe(1);
    const [found] = await rows<{ key: string }>("SELECT * FROM doomed_objects");
    await bringBack();
    await DB.prepare("INSERT OR REPLACE INTO doomed_objects (key, due_at) VALUES (?, 0)")
      .bind(found?.key)
      .run();
    expect((await runSweep(now + LATER + RESTORE.keptMs)).removedObjects).toBe(0);
    expect(await isThere(media.masterKey)).toBe(true);
    expect(await rows("SELECT * FROM doomed_objects")).toEqual([]);
  });

  it("are looked for in slices, page by page, and by the database on which their space stands alone", async () => {
    const client = await Client.make();
    for (let n = 0; n < 5; n++) {
      const { id } = await makeMedia(client.space);
      await DB.prepare("DELETE FROM masters WHERE media_id = ?").bind(id).run();
    }
    const LIMITS = RESTORE as { listedMax: number };
    LIMITS.listedMax = 2;
    const now = Date.now() + LATER;
    const found: number[] = [];
    for (let run = 0; run < 4; run++) found.push((await runSweep(now)).unclaimedObjects);
    LIMITS.listedMax = 500;
    expect(found).toEqual([2, 2, 1, 0]);
    if (SHARD === 0) return;
    expect(await databases[0]?.prepare("SELECT count(*) AS n FROM doomed_objects").first("n")).toBe(0);
  });
});

describe("a database that was set back", () => {
  it("keeps the bytes of what was uploaded since, though a pending delete of then names them", async () => {
    const client = await Client.make();
    const media = await makeMedia(client.space);
    const { rememberRuns } = memory();
    const now = Date.now();
    // As it was while the bytes were on their way.
    await DB.prepare("INSERT INTO doomed_objects (key, due_at) VALUES (?, ?)")
      .bind(media.masterKey, now + DAY)
      .run();
    const many = `/* fixture */ WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < ?)
      INSERT INTO doomed_objects (key, due_at) SELECT 'm/x/' || n, ? FROM i`;
    await DB.prepare(many)
      .bind(2 * SLICE.records, now + 1)
      .run();
    await DB.prepare("DELETE FROM masters").run();
    await runSweep(now - 1000, { rememberRuns });
    const before = (await DB.prepare("SELECT runs FROM storage_checks").first<number>("runs")) ?? 0;
    const bringBack = await bookmark();
    for (let run = 0; run < 3; run++) await runSweep(now, { rememberRuns });
    await bringBack();
    const log: Record<string, unknown>[] = [];
    const at = now + 2 * DAY;
    const report = await runSweep(at, { rememberRuns, log: (event) => log.push(event) });
    const [restored] = log.filter(({ event }) => event === "database-restored");
    expect(restored).toEqual({ event: "database-restored", runs: before + 1, known: before + 3 });
    expect([report.heldObjects, report.removedObjects]).toEqual([2 * SLICE.records + 1, 0]);
    const tags = await rows<{ tag: string }>("SELECT tag FROM purges ORDER BY tag");
    expect(tags.map(({ tag }) => tag)).toEqual(
      expect.arrayContaining([`content:${client.space.id}`, `space:${client.space.id}`]),
    );
    const next = await runSweep(at + 60_000, { rememberRuns, log: (event) => log.push(event) });
    expect([
      next.heldObjects,
      next.removedObjects,
      log.filter(({ event }) => event === "database-restored").length,
    ]).toEqual([0, 0, 1]);
    expect(await isThere(media.masterKey)).toBe(true);
    await runSweep(at + RESTORE.keptMs, { rememberRuns });
    expect(await isThere(media.masterKey)).toBe(false);
  });

  it("deletes nothing before all pending deletes are held, also if a run is cut off", async () => {
    const client = await Client.make();
    const media = await makeMedia(client.space);
    await DB.prepare("DELETE FROM masters").run();
    await DB.prepare("INSERT INTO doomed_objects (key, due_at) VALUES (?, 1)").bind(media.masterKey).run();
    const report = await runSweep(Date.now(), { rememberRuns: () => Promise.reject(new Error("no answer")) });
    expect([report.failed, report.removedObjects]).toEqual([["heldObjects", "removedObjects"], 0]);
    expect(await isThere(media.masterKey)).toBe(true);
  });

  it("is not taken for one because two sweeps ran at once", async () => {
    const { rememberRuns } = memory();
    const log: Record<string, unknown>[] = [];
    let later: Promise<unknown> = Promise.resolve();
    await runSweep(Date.now(), {
      log: (event) => log.push(event),
      rememberRuns: async (runs) => {
        later = runSweep(Date.now(), { rememberRuns });
        await later;
        return rememberRuns(runs);
      },
    });
    expect(log).toEqual([]);
  });
});

describe("a master whose bytes are gone", () => {
  it("is marked, answers 404 with what to do, is not built of, and is whole again when the bytes are back", async () => {
    const client = await Client.make();
    const media = await makeMedia(client.space);
    const other = await makeMedia(client.space);
    await BUCKET.delete(media.masterKey);
    const log: Record<string, unknown>[] = [];
    const report = await runSweep(Date.now(), { log: (event) => log.push(event) });
    expect(report.missingMasters).toBe(1);
    expect(log).toEqual([{ event: "masters-missing", count: 1, first: [media.masterKey] }]);
    const item = async (id: string) => (await client.call("GET", `/media/${id}`)).data["missing"];
    expect([await item(media.id), await item(other.id)]).toEqual([true, undefined]);
    const asked = await request(`/api/v1/${client.space.name}/pictures/${media.id}?w=500`);
    expect([asked.status, await asked.text()]).toEqual([404, expect.stringContaining("Upload it again")]);
    expect(await rows("SELECT placeholder_tries FROM masters WHERE missing_at IS NOT NULL")).toEqual([
      { placeholder_tries: null },
    ]);
    await BUCKET.put(media.masterKey, "master");
    expect((await runSweep(Date.now())).missingMasters).toBe(0);
    expect([await item(media.id), await item(other.id)]).toEqual([undefined, undefined]);
    expect(await rows("SELECT placeholder_tries FROM masters WHERE placeholder_tries IS NULL")).toEqual([]);
  });

  it("still has the variants that were built of it", async () => {
    const client = await Client.make();
    const media = await makeMedia(client.space);
    const file = "w500-q80-e99.webp";
    await BUCKET.put(`v/${media.spaceId}/${media.id}/1/${file}`, "variant");
    await DB.prepare(
      `INSERT INTO variants (media_id, version, file, space_id, encoder_version, size_bytes, created_at, expires_at)
       VALUES (?, 1, ?, ?, 99, 7, 1, 9e15)`,
    )
      .bind(media.id, file, media.spaceId)
      .run();
    await BUCKET.delete(media.masterKey);
    await runSweep(Date.now());
    const served = await request(`/cdn/v/${media.spaceId}/${media.id}/1/${file}`);
    expect([served.status, await served.text()]).toEqual([200, "variant"]);
  });

  it("does not end the sweep or its queue before it is marked: the picture is answered, and asked for but once", async () => {
    const client = await Client.make();
    const media = await makeMedia(client.space);
    await BUCKET.delete(media.masterKey);
    const statuses = [];
    for (let n = 0; n < 3; n++)
      statuses.push((await request(`/api/v1/${client.space.name}/pictures/${media.id}?w=500`)).status);
    expect(statuses).toEqual([302, 302, 302]);
    expect((await runSweep(Date.now() + CACHE.factsMs)).failed).toEqual([]);
  });
});
