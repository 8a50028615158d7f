/** Placeholders when a queue ends in the middle, or a master changes meanwhile. */
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { PLACEHOLDER as LIMITS } from "../../../../src/limits.ts";
import { database } from "../../../../src/edge/storage/database/database.ts";
import { announceBareMasters } from "../../../../src/edge/sweep/placeholders.ts";
import { cleanBetweenTests } from "../../support/clean.ts";
import { eventually } from "../../support/eventually.ts";
import { builder, makes, PLACEHOLDER } from "../../support/builder/fake-builder.ts";
import {
  bare,
  hangs,
  later,
  MADE,
  NONE,
  rowOf,
  start,
  untilDone,
  untilRow,
} from "../../support/builder/placeholders.ts";
import { crash, objectOf, queueOf } from "../../support/queue.ts";
import { bindings, makeMedia, makeSpace, type Space } from "../../support/rows.ts";

cleanBetweenTests();

describe("placeholders are not lost", () => {
  test.each([
    ["evicted", (space: Space) => evictDurableObject(objectOf(space))],
    ["crashed", crash],
  ])("when the queue is %s before it is quiet: its alarm goes on", async (_, end) => {
    const { space, media, queue } = await start();
    await queue.makePlaceholders(space.id);
    await end(space);
    expect(await later(space)).toBe(true);
    await untilRow(media, MADE);
  });

  test("when the queue crashes while making one: it tries again, and counts each crash", async () => {
    const { space, media, queue } = await start();
    builder.alwaysPlaceholder(hangs);
    await queue.makePlaceholders(space.id);
    await later(space);
    for (let tries = 1; tries <= LIMITS.triesMax; tries++) {
      await builder.placeholdersCalled(tries);
      expect(await rowOf(media)).toEqual(bare(tries));
      await crash(space);
      expect(await later(space, 60_000)).toBe(true);
    }
    await untilRow(media, NONE);
    expect(builder.placeholderOrders()).toHaveLength(LIMITS.triesMax);
  });

  test("when the announcement is lost: the sweep finds spaces with present masters, and no others", async () => {
    const { space, media } = await start();
    const removed = await makeSpace();
    await makeMedia(removed);
    const trashed = await makeMedia(await makeSpace());
    await bindings.DB.batch([
      bindings.DB.prepare("UPDATE spaces SET removed_at = 1 WHERE id = ?").bind(removed.id),
      bindings.DB.prepare("UPDATE media SET deleted_at = 1 WHERE id = ?").bind(trashed.id),
    ]);
    const announce = () =>
      announceBareMasters(database(bindings.DB), (id) => queueOf({ id, name: "" }).makePlaceholders(id));
    expect(await announce()).toBe(1);
    await later(space);
    await untilRow(media, MADE);
    expect(await announce()).toBe(0);
    await bindings.DB.prepare("UPDATE media SET deleted_at = NULL WHERE id = ?").bind(trashed.id).run();
    expect(await announce()).toBe(1);
  });

  test("of any space, however many masters one has and whichever queue does not answer", async () => {
    const { space, media } = await start();
    const others = [await makeSpace(), await makeSpace()];
    const [silent, last] = others as [Space, Space];
    await makeMedia(silent);
    await makeMedia(last);
    await bindings.DB.batch([
      bindings.DB.prepare(
        `/* fixture */ WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
         INSERT INTO media (id, space_id, filename, master_version, last_version, created_at, updated_at)
         SELECT id || i, space_id, filename, 1, 1, created_at, updated_at FROM media, n WHERE id = ?`,
      ).bind(media.id),
      bindings.DB.prepare(
        `INSERT INTO masters (media_id, version, space_id, file, size_bytes, sha256, facts, created_at)
         SELECT m.id, 1, m.space_id, file, size_bytes, sha256, facts, ma.created_at
         FROM media m JOIN masters ma ON ma.media_id = ?1 WHERE m.space_id = ?2 AND m.id <> ?1`,
      ).bind(media.id, space.id),
    ]);
    const told: string[] = [];
    const announced = await announceBareMasters(database(bindings.DB), (id) => {
      if (id === silent.id) return Promise.reject(new Error("Network connection lost."));
      told.push(id);
      return Promise.resolve();
    });
    expect(told).toEqual([space.id, last.id]);
    expect(announced).toBe(2);
  });

  test("unless their space is removed", async () => {
    const { space, media, queue } = await start();
    builder.nextPlaceholders(hangs);
    await queue.makePlaceholders(space.id);
    await later(space);
    await builder.placeholdersCalled(1);
    await queue.clear();
    expect(await runDurableObjectAlarm(objectOf(space))).toBe(false);
    expect((await rowOf(media))?.thumbHash).toBeNull();
  });
});

describe("a master that changes meanwhile", () => {
  test("a late placeholder of an earlier version is not used for the new one, which gets its own", async () => {
    const { space, media, queue } = await start();
    builder.nextPlaceholders(async (call) => {
      await bindings.DB.batch([
        bindings.DB.prepare(
          `INSERT INTO masters (media_id, version, space_id, file, size_bytes, sha256, facts, created_at)
           SELECT media_id, 2, space_id, file, size_bytes, sha256, facts, created_at FROM masters WHERE version = 1`,
        ),
        bindings.DB.prepare("UPDATE media SET master_version = 2, last_version = 2"),
        bindings.DB.prepare("UPDATE masters SET purge_at = 9e15 WHERE version = 1"),
      ]);
      await bindings.BUCKET.put(media.masterKey.replace("/1/", "/2/"), "other!");
      const late = await makes(call);
      return late.ok ? { ...late, placeholder: { ...PLACEHOLDER, dominantColor: "#00000a" } } : late;
    });
    await queue.makePlaceholders(space.id);
    await later(space);
    await eventually(async () => expect(await rowOf(media, 2)).toEqual(MADE));
    expect(await rowOf(media, 1)).toMatchObject({ dominantColor: "#00000a" });
  });

  test("no placeholder is made for a trashed one or for an earlier version", async () => {
    const { space, media, queue } = await start();
    const old = await makeMedia(space);
    await bindings.DB.batch([
      bindings.DB.prepare("UPDATE media SET deleted_at = 1 WHERE id = ?").bind(media.id),
      bindings.DB.prepare("UPDATE media SET master_version = 2 WHERE id = ?").bind(old.id),
    ]);
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilDone(space);
    expect(builder.placeholderOrders()).toEqual([]);
    expect([await rowOf(media), await rowOf(old)]).toEqual([bare(0), bare(0)]);
  });
});
