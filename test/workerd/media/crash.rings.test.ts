/** D1 or R2 lost at every point of an upload and a replacement: no half master is offered, and no object leaks. */
import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { spaces } from "../../../schema/tables.ts";
import { CACHE, PENDING_DELETE } from "../../../src/limits.ts";
import { replaceFile, uploadMedia, type UploadTools } from "../../../src/edge/media/upload.ts";
import type { Space } from "../../../src/edge/spaces/authorize.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { atEveryFailure, failingD1 } from "../support/bindings/failing-d1.ts";
import { runSweep } from "../support/sweep.ts";
import { bindings, emptyStorage, makeSpace } from "../support/rows.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";

afterEach(emptyStorage);

const db = database(bindings.DB);
const tools: UploadTools = { db, bucket: bindings.BUCKET, now: Date.now, origin: OF_SYSTEM };

/** Returns a GIF of one pixel; `tail` after its end tells one file from another. */
const file = (tail: string): Uint8Array =>
  Uint8Array.from(
    atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") + tail,
    (character) => character.codePointAt(0) ?? 0,
  );
const upload = (tail: string) => ({ filename: "dot.gif", body: new Blob([file(tail)]).stream() });
const textOf = (tail: string): string => new TextDecoder().decode(file(tail));

async function newSpace(): Promise<Space> {
  const { id } = await makeSpace();
  return (await db.select().from(spaces).where(eq(spaces.id, id)).get()) as Space;
}

interface Offered {
  id: string;
  key: string;
}

/** Returns the items that D1 offers, with the R2 key of each item's master. */
async function offered(): Promise<Offered[]> {
  const { results } = await bindings.DB.prepare(
    `SELECT m.id, 'm/' || ma.space_id || '/' || ma.media_id || '/' || ma.version || '/' || ma.file AS key
     FROM media m JOIN masters ma ON ma.media_id = m.id AND ma.version = m.master_version`,
  ).all<Offered>();
  return results;
}

async function keysOf(query: string): Promise<Set<string>> {
  const { results } = await bindings.DB.prepare(query).all<{ key: string }>();
  return new Set(results.map(({ key }) => key));
}
const CLAIMED =
  "SELECT 'm/' || space_id || '/' || media_id || '/' || version || '/' || file AS key FROM masters";

/**
 * Checks that every object has a row or is on record as doomed, and that rows and objects are the same after the sweep.
 */
async function expectNothingLeaks(): Promise<void> {
  const claimed = await keysOf(CLAIMED);
  const doomed = await keysOf("SELECT key FROM doomed_objects");
  const stored = (await bindings.BUCKET.list()).objects.map(({ key }) => key);
  for (const key of stored) expect(claimed.has(key) || doomed.has(key), key).toBe(true);
  const now = Date.now() + PENDING_DELETE.bytesOnTheWayMs + CACHE.bytesOutliveRowMs;
  await runSweep(now);
  const left = (await bindings.BUCKET.list()).objects.map(({ key }) => key);
  expect(new Set(left)).toEqual(await keysOf(CLAIMED));
}

/** Returns R2 that is lost in one method, before or after it took effect. */
function failingBucket(method: "put" | "delete", at: "before" | "after"): R2Bucket {
  return new Proxy(bindings.BUCKET, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      const call = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
      if (name !== method) return call;
      return async (...args: unknown[]) => {
        if (at === "after") await call(...args);
        throw new Error("the connection to R2 was lost");
      };
    },
  });
}

describe("a replacement", () => {
  it("shows the whole old or new file when D1 is lost at any point, and can be repeated", async () => {
    const failures = await atEveryFailure(async (failure) => {
      const space = await newSpace();
      const { media } = await uploadMedia(space, upload("old"), tools);
      const lost = failingD1(bindings.DB, failure);
      const done = await replaceFile(space, media.id, upload("new"), {
        ...tools,
        db: database(lost.db),
      }).then(
        () => true,
        () => false,
      );
      const [item] = await offered();
      const bytes = await (await bindings.BUCKET.get(item?.key ?? ""))?.text();
      expect(done ? [textOf("new")] : [textOf("old"), textOf("new")], JSON.stringify(failure)).toContain(
        bytes,
      );
      await expectNothingLeaks();
      await replaceFile(space, media.id, upload("again"), tools);
      const [after] = await offered();
      expect(await (await bindings.BUCKET.get(after?.key ?? ""))?.text()).toBe(textOf("again"));
      await emptyStorage();
      return lost;
    });
    // Reserving the number, the intent, the rows: before and after each, and inside the batch.
    expect(failures).toBeGreaterThanOrEqual(12);
  });

  it("leaves the old file in place when R2 is lost", async () => {
    for (const at of ["before", "after"] as const) {
      const space = await newSpace();
      const { media } = await uploadMedia(space, upload("old"), tools);
      const bucket = failingBucket("put", at);
      await expect(replaceFile(space, media.id, upload("new"), { ...tools, bucket })).rejects.toThrow();
      const [item] = await offered();
      expect(await (await bindings.BUCKET.get(item?.key ?? ""))?.text()).toBe(textOf("old"));
      await expectNothingLeaks();
      await emptyStorage();
    }
  });
});

describe("an upload (RULES 10.1)", () => {
  it("exists completely or not at all when D1 is lost at any point", async () => {
    await atEveryFailure(async (failure) => {
      const space = await newSpace();
      const lost = failingD1(bindings.DB, failure);
      await uploadMedia(space, upload("one"), { ...tools, db: database(lost.db) }).catch(() => undefined);
      for (const { key } of await offered()) {
        expect(await (await bindings.BUCKET.get(key))?.text(), JSON.stringify(failure)).toBe(textOf("one"));
      }
      await expectNothingLeaks();
      await emptyStorage();
      return lost;
    });
  });

  it("of a broken file whose bytes cannot be removed is swept later", async () => {
    const space = await newSpace();
    const broken = { filename: null, body: new Blob([file("").subarray(0, 30)]).stream() };
    const bucket = failingBucket("delete", "before");
    await expect(uploadMedia(space, broken, { ...tools, bucket })).rejects.toThrow();
    expect(await offered()).toEqual([]);
    await expectNothingLeaks();
  });
});
