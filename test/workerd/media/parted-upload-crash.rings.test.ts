/** D1 or R2 lost at every point of the completion of an upload in parts: one item or none, and no object leaks. */
import { eq } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { spaces } from "../../../schema/tables.ts";
import { CACHE, DAY_MS } from "../../../src/limits.ts";
import {
  beginUpload,
  completeUpload,
  findUpload,
  receivePart,
  type PartedTools,
} from "../../../src/edge/media/parted-upload.ts";
import type { Space } from "../../../src/edge/spaces/authorize.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { deleteUpload } from "../../../src/edge/storage/media/uploads.ts";
import { atEveryFailure, failingD1 } from "../support/bindings/failing-d1.ts";
import { bindings, emptyStorage, makeSpace } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { gifOf, keysIn } from "../support/uploads.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";

afterEach(emptyStorage);

const db = database(bindings.DB);
const tools: PartedTools = {
  db,
  bucket: bindings.BUCKET,
  now: Date.now,
  origin: OF_SYSTEM,
  // A process that ends runs nothing afterwards.
  waitUntil: (work) => void work,
};

async function newSpace(): Promise<Space> {
  const { id } = await makeSpace();
  return (await db.select().from(spaces).where(eq(spaces.id, id)).get()) as Space;
}

const put = (space: Space, id: string, file: Uint8Array<ArrayBuffer>, use = tools) =>
  receivePart(
    space,
    id,
    1,
    { body: new Blob([file]).stream() as ReadableStream<Uint8Array>, lengthBytes: file.length },
    use,
  );

/** Sends an upload with all its parts; of a new item, or of one that there is. */
async function sent(
  space: Space,
  file: Uint8Array<ArrayBuffer>,
  mediaId: string | null = null,
): Promise<string> {
  const asked = { filename: "dot.gif", sizeBytes: file.length, alt: null, focalPoint: null, mediaId };
  const { id } = await beginUpload(space, asked, tools);
  await put(space, id, file);
  return id;
}

const MASTERS =
  "SELECT 'm/' || space_id || '/' || media_id || '/' || version || '/' || file AS key FROM masters";
const OFFERED = `${MASTERS} ma WHERE EXISTS (SELECT 1 FROM media m
  WHERE m.id = ma.media_id AND m.master_version = ma.version)`;

async function keysOf(query: string): Promise<string[]> {
  const { results } = await bindings.DB.prepare(query).all<{ key: string }>();
  return results.map(({ key }) => key).sort();
}

const bytesAt = async (key: string | undefined): Promise<Uint8Array> =>
  new Uint8Array(await (await bindings.BUCKET.get(key ?? ""))!.arrayBuffer());

/**
 * Checks that every object has a row or is on record. Afterwards there is an object for each master and none beside.
 */
async function expectNothingLeaks(): Promise<void> {
  const known = new Set([...(await keysOf(MASTERS)), ...(await keysOf("SELECT key FROM doomed_objects"))]);
  expect((await keysIn("")).filter((key) => !known.has(key))).toEqual([]);
  await runSweep(Date.now() + 2 * DAY_MS + CACHE.bytesOutliveRowMs);
  expect((await keysIn("")).sort()).toEqual(await keysOf(MASTERS));
}

it("makes one item when D1 is lost at any point and it is called again", async () => {
  const failures = await atEveryFailure(async (failure) => {
    const space = await newSpace();
    const id = await sent(space, gifOf(80, 1));
    const lost = failingD1(bindings.DB, failure);
    const first = await completeUpload(space, id, { ...tools, db: database(lost.db) }).catch(() => null);
    const again = await completeUpload(space, id, tools);
    if (first) expect(again.media.id, JSON.stringify(failure)).toBe(first.media.id);
    expect(await keysOf(OFFERED)).toHaveLength(1);
    expect(await bytesAt((await keysOf(OFFERED))[0])).toEqual(gifOf(80, 1));
    await expectNothingLeaks();
    await emptyStorage();
    return lost;
  });
  // Read, the intent, the rows, read, read: before and after each, and inside the batch.
  expect(failures).toBeGreaterThanOrEqual(10 + 4);
});

it("replaces a file once when D1 is lost at any point and it is called again", async () => {
  await atEveryFailure(async (failure) => {
    const space = await newSpace();
    const { media } = await completeUpload(space, await sent(space, gifOf(70, 1)), tools);
    const id = await sent(space, gifOf(80, 2), media.id);
    const lost = failingD1(bindings.DB, failure);
    await completeUpload(space, id, { ...tools, db: database(lost.db) }).catch(() => null);
    expect((await completeUpload(space, id, tools)).media.id).toBe(media.id);
    const masters = await keysOf(MASTERS);
    expect(masters, JSON.stringify(failure)).toHaveLength(2);
    expect(await bytesAt((await keysOf(OFFERED))[0])).toEqual(gifOf(80, 2));
    await expectNothingLeaks();
    await emptyStorage();
    return lost;
  });
});

/** Returns R2 that is lost in one method, the first time, before or after it took effect. */
function failingBucket(method: "put" | "list" | "get" | "delete", at: "before" | "after"): R2Bucket {
  let isLost = false;
  return new Proxy(bindings.BUCKET, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      const call = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
      if (name !== method || isLost) return call;
      return async (...args: unknown[]) => {
        isLost = true;
        if (at === "after") await call(...args);
        throw new Error("the connection to R2 was lost");
      };
    },
  });
}

it.each(["put", "list", "get", "delete"] as const)(
  "that loses R2 at %s can be called again",
  async (method) => {
    for (const at of ["before", "after"] as const) {
      const space = await newSpace();
      const id = await sent(space, gifOf(80, 1));
      const bucket = failingBucket(method, at);
      await completeUpload(space, id, { ...tools, bucket }).catch(() => null);
      await completeUpload(space, id, { ...tools, bucket });
      expect(await keysOf(OFFERED)).toHaveLength(1);
      expect(await bytesAt((await keysOf(OFFERED))[0])).toEqual(gifOf(80, 1));
      await expectNothingLeaks();
      await emptyStorage();
    }
  },
);

it("of a refused file leaves nothing, whenever D1 is lost", async () => {
  await atEveryFailure(async (failure) => {
    const space = await newSpace();
    const id = await sent(space, gifOf(60).slice(0, 30));
    const lost = failingD1(bindings.DB, failure);
    await completeUpload(space, id, { ...tools, db: database(lost.db) }).catch(() => null);
    await expect(completeUpload(space, id, tools)).rejects.toThrow();
    await expect(findUpload(space, id, tools)).rejects.toThrow();
    expect(await keysOf(MASTERS)).toEqual([]);
    await expectNothingLeaks();
    await emptyStorage();
    return lost;
  });
});

it("of a part can be repeated, wherever D1 or R2 is lost", async () => {
  await atEveryFailure(async (failure) => {
    const space = await newSpace();
    const id = await sent(space, gifOf(80, 1));
    const lost = failingD1(bindings.DB, failure);
    await put(space, id, gifOf(80, 2), { ...tools, db: database(lost.db) }).catch(() => null);
    await put(space, id, gifOf(80, 3));
    await completeUpload(space, id, tools);
    expect(await bytesAt((await keysOf(OFFERED))[0])).toEqual(gifOf(80, 3));
    await expectNothingLeaks();
    await emptyStorage();
    return lost;
  });
});

it("loses a part that arrives after the upload was deleted, even if it is not removed at once", async () => {
  const space = await newSpace();
  const id = await sent(space, gifOf(80, 1));
  // Between the look at the upload and the bytes, its client gives it up.
  const bucket = new Proxy(bindings.BUCKET, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      const call = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
      if (name === "delete") return () => Promise.reject(new Error("the process ended"));
      if (name !== "put") return call;
      return async (...args: unknown[]) => {
        await deleteUpload(db, space.id, id, { origin: OF_SYSTEM, now: Date.now() });
        return call(...args);
      };
    },
  });
  await expect(put(space, id, gifOf(80, 2), { ...tools, bucket })).rejects.toThrow();
  expect(await keysIn("u/")).toHaveLength(1);
  await expectNothingLeaks();
});
