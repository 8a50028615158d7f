import { describe, expect, it } from "vitest";
import type { SweepReport } from "../../../src/edge/sweep/sweep.ts";
import { CACHE, DAY_MS, VARIANT } from "../../../src/limits.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { removeMedia } from "../../../src/edge/storage/media/remove-media.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { picture } from "../support/http.ts";
import { queueOf } from "../support/queue.ts";
import { runSweep } from "../support/sweep.ts";
import { bindings, JPEG_FACTS, makeMedia, makeSpace, variantFiles, type Media } from "../support/rows.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";

cleanBetweenTests();

const db = database(bindings.DB);
const run = (now: number): Promise<SweepReport> =>
  runSweep(now, { clearQueue: (id) => queueOf({ id, name: "" }).clear() });
const keys = async (): Promise<string[]> => (await bindings.BUCKET.list()).objects.map(({ key }) => key);
const rows = async (table: string): Promise<number> =>
  (await bindings.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n")) ?? 0;

async function withVariant(): Promise<{ media: Media; spaceName: string; spaceId: string }> {
  const space = await makeSpace();
  const media = await makeMedia(space, {
    ...JPEG_FACTS,
    width: 600,
    height: 400,
    codedWidth: 600,
    codedHeight: 400,
  });
  await picture(space.name, media.id, "w=64");
  expect(await variantFiles(media)).toHaveLength(1);
  return { media, spaceName: space.name, spaceId: space.id };
}

describe("the sweep (RULES 10.2)", () => {
  it("expires variants after 30 days, and their bytes an hour later", async () => {
    const { media } = await withVariant();
    const now = Date.now();
    expect((await run(now + VARIANT.lifetimeMs - 60_000)).expiredVariants).toBe(0);
    const due = now + VARIANT.lifetimeMs + 60_000;
    expect((await run(due)).expiredVariants).toBe(1);
    expect(await variantFiles(media)).toEqual([]);
    expect(await keys()).toHaveLength(2);
    await run(due + CACHE.bytesOutliveRowMs);
    expect(await keys()).toEqual([media.masterKey]);
    expect(await rows("doomed_objects")).toBe(0);
  });

  it("purges the trash when it is due, with all versions and variants", async () => {
    const { media } = await withVariant();
    const now = Date.now();
    await bindings.DB.prepare("UPDATE media SET deleted_at = ?, purge_at = ? WHERE id = ?")
      .bind(now, now + DAY_MS, media.id)
      .run();
    expect((await run(now + DAY_MS - 1)).purgedMedia).toBe(0);
    expect((await run(now + DAY_MS)).purgedMedia).toBe(1);
    expect(await keys()).toHaveLength(2);
    await run(now + DAY_MS + CACHE.bytesOutliveRowMs);
    expect(await keys()).toEqual([]);
    for (const table of ["media", "masters", "variants", "doomed_objects"])
      expect(await rows(table), table).toBe(0);
  });

  it("removes bytes that a crash left without a row, and spares those that a row claims", async () => {
    const { media } = await withVariant();
    const orphan = `m/${media.spaceId}/01ARZ3NDEKTSV4RRFFQ69G5FAV/1/master.jpg`;
    await bindings.BUCKET.put(orphan, "half a story");
    const doom = bindings.DB.prepare("INSERT INTO doomed_objects (key, due_at, upload_id) VALUES (?, ?, ?)");
    await bindings.DB.batch([
      doom.bind(orphan, 1, "an upload that is gone"),
      doom.bind(media.masterKey, 1, null),
    ]);
    await run(Date.now());
    expect(await keys()).not.toContain(orphan);
    expect(await keys()).toContain(media.masterKey);
    expect(await rows("doomed_objects")).toBe(0);
  });

  it("empties a removed space in batches", async () => {
    const { spaceId } = await withVariant();
    await bindings.DB.prepare("UPDATE spaces SET removed_at = 1 WHERE id = ?").bind(spaceId).run();
    const now = Date.now();
    expect((await run(now)).removedSpaces).toBe(1);
    await run(now + CACHE.bytesOutliveRowMs);
    expect(await keys()).toEqual([]);
    for (const table of ["spaces", "media", "masters", "variants", "api_keys"])
      expect(await rows(table), table).toBe(0);
  });

  it("gives the same result when it is run twice, or is cut off after any step", async () => {
    const { media, spaceId } = await withVariant();
    const now = Date.now();
    const by = { origin: OF_SYSTEM, now };
    await removeMedia(db, [[spaceId, media.id]], by);
    await removeMedia(db, [[spaceId, media.id]], by);
    const later = now + CACHE.bytesOutliveRowMs;
    const stopping = new Proxy(bindings.BUCKET, {
      get: (target, name) => {
        if (name === "delete") return () => Promise.reject(new Error("cut off"));
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    expect((await runSweep(later, { bucket: stopping })).failed).toEqual(["removedObjects"]);
    expect(await keys()).toHaveLength(2);
    await run(later);
    await run(later);
    expect(await keys()).toEqual([]);
  });

  it("does not ask the bucket to delete nothing, when every due key is claimed again", async () => {
    const { media } = await withVariant();
    const now = Date.now();
    const [file = ""] = await variantFiles(media);
    const key = `v/${media.spaceId}/${media.id}/1/${file}`;
    await bindings.DB.prepare("INSERT INTO doomed_objects (key, due_at) VALUES (?, ?)").bind(key, now).run();
    expect(await run(now)).toMatchObject({ removedObjects: 0, failed: [] });
    expect(await rows("doomed_objects")).toBe(0);
    expect(await keys()).toContain(key);
  });

  it("runs every other step when one fails, and says which", async () => {
    const { media } = await withVariant();
    const gone = await makeSpace();
    await bindings.DB.prepare("UPDATE spaces SET removed_at = 1 WHERE id = ?").bind(gone.id).run();
    await bindings.DB.prepare("INSERT INTO doomed_objects (key, due_at) VALUES ('v/left-behind', 1)").run();
    await bindings.BUCKET.put("v/left-behind", "bytes");
    const due = Date.now() + VARIANT.lifetimeMs + 60_000;
    const stuck = /FROM media WHERE (purge_at|space_id)/is;
    const failing = new Proxy(bindings.DB, {
      get(target, property) {
        if (property === "prepare") {
          return (query: string) => {
            if (stuck.test(query)) throw new Error("no such index");
            return target.prepare(query);
          };
        }
        const value = Reflect.get(target, property, target) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const logged: unknown[] = [];
    const report = await runSweep(due, { db: database(failing), log: (event) => logged.push(event) });
    expect(report).toMatchObject({
      failed: ["purgedMedia"],
      purgedMedia: 0,
      removedSpaces: 0,
      expiredVariants: 1,
      removedObjects: 1,
    });
    expect(logged).toHaveLength(2);
    expect(logged[0]).toMatchObject({ step: "removedSpaces", spaceId: gone.id });
    expect(logged[1]).toMatchObject({ event: "sweep-step-failed", step: "purgedMedia" });
    expect(await variantFiles(media)).toEqual([]);
    expect(await keys()).not.toContain("v/left-behind");
  });

  it("removes the other spaces when the queue of one does not answer", async () => {
    const [stuck, other] = [await makeSpace(), await makeSpace()];
    await bindings.DB.prepare("UPDATE spaces SET removed_at = 1").run();
    const clearQueue = (id: string): Promise<void> =>
      id === stuck.id ? Promise.reject(new Error("the object is overloaded")) : Promise.resolve();
    expect((await runSweep(Date.now(), { clearQueue })).removedSpaces).toBe(1);
    const left = await bindings.DB.prepare("SELECT id FROM spaces").all<{ id: string }>();
    expect(left.results).toEqual([{ id: stuck.id }]);
    expect((await runSweep(Date.now())).removedSpaces).toBe(1);
    expect(other.id).not.toBe(stuck.id);
  });
});
