/** The rows of variants: their limit, their expiry, and the removal of their bytes (RULES 9.2). */
import { describe, expect, test } from "vitest";
import { variantKey } from "../../../src/image/model/variant.ts";
import { CACHE, DAY_MS, VARIANT } from "../../../src/limits.ts";
import { recordPendingDelete } from "../../../src/edge/storage/sweep/pending-deletes.ts";
import { PENDING_DELETE } from "../../../src/limits.ts";
import { commitVariant, findVariant } from "../../../src/edge/storage/pictures/variants.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { bindings, makeMedia, makeSpace, variantFiles, type Media } from "../support/rows.ts";

cleanBetweenTests();

const { DB } = bindings;
const start = async (): Promise<Media> => makeMedia(await makeSpace());
const file = (width: number, encoderVersion = 1): string => `w${width}-q80-e${encoderVersion}.webp`;
const at = (media: Media, name: string) => ({
  spaceId: media.spaceId,
  mediaId: media.id,
  version: media.version,
  file: name,
});
const keyOf = (media: Media, name: string): string => variantKey(at(media, name), name);

/** Stores `count` variants of one encoder version, the narrower the older. */
async function fill(media: Media, count: number, encoderVersion = 1): Promise<void> {
  const widths = Array.from({ length: count }, (_, n) => n + 1);
  await DB.prepare(
    `INSERT INTO variants (media_id, version, file, space_id, encoder_version, size_bytes, created_at, expires_at)
     SELECT ?1, 1, 'w' || value || '-q80-e' || cast(?2 AS INTEGER) || '.webp', ?3, ?2, 10, 1000 + value, 9e12 FROM json_each(?4)`,
  )
    .bind(media.id, encoderVersion, media.spaceId, JSON.stringify(widths))
    .run();
}

const doomed = async (): Promise<{ key: string; dueAt: number }[]> =>
  (
    await DB.prepare("SELECT key, due_at AS dueAt FROM doomed_objects ORDER BY key").all<{
      key: string;
      dueAt: number;
    }>()
  ).results;

describe("the limit of 192 variants per master version", () => {
  test("192 stay; of 193 the oldest is evicted, and its bytes are removed an hour later", async () => {
    const media = await start();
    await fill(media, VARIANT.perMasterVersionMax - 1);
    expect(await commitVariant(DB, at(media, file(5000)), 10, 9000)).toEqual({ ok: true, evicted: [] });
    expect(await commitVariant(DB, at(media, file(5001)), 10, 9001)).toEqual({
      ok: true,
      evicted: [keyOf(media, file(1))],
    });
    const files = await variantFiles(media);
    expect(files).toHaveLength(VARIANT.perMasterVersionMax);
    expect(files).not.toContain(file(1));
    expect(files).toContain(file(5001));
    expect(await doomed()).toEqual([{ key: keyOf(media, file(1)), dueAt: 9001 + CACHE.bytesOutliveRowMs }]);
  });

  test("variants of the oldest encoder version are evicted first, however new they are", async () => {
    const media = await start();
    await fill(media, VARIANT.perMasterVersionMax - 2, 2);
    await commitVariant(DB, at(media, file(7000, 1)), 10, 8000);
    await commitVariant(DB, at(media, file(7001, 1)), 10, 8001);
    await commitVariant(DB, at(media, file(7002, 2)), 10, 8002);
    expect(await variantFiles(media)).not.toContain(file(7000, 1));
    await commitVariant(DB, at(media, file(7003, 2)), 10, 8003);
    expect(await variantFiles(media)).not.toContain(file(7001, 1));
    await commitVariant(DB, at(media, file(7004, 2)), 10, 8004);
    expect(await variantFiles(media)).not.toContain(file(1, 2));
    expect(await variantFiles(media)).toHaveLength(VARIANT.perMasterVersionMax);
  });

  test("the variant that was just built stays, even one of an older encoder after a roll-back", async () => {
    const media = await start();
    await fill(media, VARIANT.perMasterVersionMax, 2);
    await commitVariant(DB, at(media, file(7000, 1)), 10, 8000);
    const files = await variantFiles(media);
    expect(files).toContain(file(7000, 1));
    expect(files).not.toContain(file(1, 2));
  });

  test("several excess variants are evicted at once", async () => {
    const media = await start();
    await fill(media, VARIANT.perMasterVersionMax + 3);
    const commit = await commitVariant(DB, at(media, file(5000)), 10, 9000);
    const oldest = [1, 2, 3, 4].map((width) => keyOf(media, file(width)));
    expect(commit.ok && commit.evicted.toSorted()).toEqual(oldest);
    expect((await doomed()).map(({ key }) => key)).toEqual(oldest);
  });

  test("each master version and each media item has its own limit", async () => {
    const media = await start();
    const other = await start();
    await fill(media, VARIANT.perMasterVersionMax);
    await fill(other, VARIANT.perMasterVersionMax);
    await DB.prepare("UPDATE variants SET version = 2 WHERE media_id = ?").bind(media.id).run();
    await commitVariant(DB, at(media, file(5000)), 10, 9000);
    expect(await DB.prepare("SELECT count(*) AS n FROM variants").first("n")).toBe(385);
  });
});

describe("a commit", () => {
  test("offers the variant for 30 days", async () => {
    const media = await start();
    await commitVariant(DB, at(media, file(500)), 10, 9000);
    const row = { sizeBytes: 10, createdAt: 9000, expiresAt: 9000 + 30 * DAY_MS };
    expect(await findVariant(DB, at(media, file(500)), 9000)).toEqual(row);
    expect(await findVariant(DB, at(media, file(500)), row.expiresAt - 1)).toEqual(row);
    expect(await findVariant(DB, at(media, file(500)), row.expiresAt)).toBeNull();
    expect(await findVariant(DB, at(media, file(501)), 9000)).toBeNull();
  });

  test("of the same variant twice changes nothing but the expiry", async () => {
    const media = await start();
    await commitVariant(DB, at(media, file(500)), 10, 9000);
    expect(await commitVariant(DB, at(media, file(500)), 11, 9500)).toEqual({ ok: true, evicted: [] });
    expect(await variantFiles(media)).toEqual([file(500)]);
    expect(await findVariant(DB, at(media, file(500)), 9500)).toEqual({
      sizeBytes: 11,
      createdAt: 9500,
      expiresAt: 9500 + VARIANT.lifetimeMs,
    });
  });

  test("cancels its own pending delete and no other", async () => {
    const media = await start();
    await recordPendingDelete(DB, keyOf(media, file(500)), 9000);
    await recordPendingDelete(DB, keyOf(media, file(501)), 9000);
    await commitVariant(DB, at(media, file(500)), 10, 9000);
    expect(await doomed()).toEqual([
      { key: keyOf(media, file(501)), dueAt: 9000 + PENDING_DELETE.bytesOnTheWayMs },
    ]);
  });

  test("for a media item of another space is refused", async () => {
    const media = await start();
    const stranger = await makeSpace();
    expect(await commitVariant(DB, { ...at(media, file(500)), spaceId: stranger.id }, 10, 9000)).toEqual({
      ok: false,
    });
    expect(await variantFiles(media)).toEqual([]);
  });
});

describe("a pending delete", () => {
  test("that exists already gets the later time, so that a rebuilt variant is not swept", async () => {
    await DB.prepare("INSERT INTO doomed_objects (key, due_at) VALUES ('v/x', 100)").run();
    await recordPendingDelete(DB, "v/x", 9000);
    expect(await doomed()).toEqual([{ key: "v/x", dueAt: 9000 + PENDING_DELETE.bytesOnTheWayMs }]);
    await recordPendingDelete(DB, "v/x", 10);
    expect(await doomed()).toEqual([{ key: "v/x", dueAt: 9000 + PENDING_DELETE.bytesOnTheWayMs }]);
  });
});
