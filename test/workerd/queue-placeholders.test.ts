/** Placeholders: made while nothing else is to be done, once for each version of a master, whatever happens. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, test, vi } from "vitest";
import { PLACEHOLDER as LIMITS } from "../../src/limits.ts";
import { database } from "../../src/storage/database.ts";
import { announceBareMasters } from "../../src/sweep/placeholders.ts";
import { Client } from "./support/api.ts";
import { cleanBetweenTests, moveClock } from "./support/clean.ts";
import {
  builder,
  Gate,
  makes,
  PLACEHOLDER,
  type PlaceholderBehaviour,
  hangs as buildHangs,
  crashes as buildCrashes,
} from "./support/fake-builder.ts";
import { breakBinding, objectOf, queueOf, queueSql, requestFor } from "./support/queue.ts";
import {
  bindings,
  JPEG_FACTS,
  makeMedia,
  makeSpace,
  variantFiles,
  type Media,
  type Space,
} from "./support/rows.ts";

cleanBetweenTests();

const lost: PlaceholderBehaviour = () => {
  throw new Error("Network connection lost.");
};
const fails: PlaceholderBehaviour = () => ({ ok: false, code: "failed", reason: "not a picture" });
const busy: PlaceholderBehaviour = () => ({ ok: false, code: "busy" });
/** Reads until its master's stream ends or breaks, and does not answer before it is let go. */
const hangs: PlaceholderBehaviour = async (call) => {
  await buildHangs(call as never);
  return { ok: false, code: "busy" };
};

async function start(text = "master") {
  const space = await makeSpace();
  const media = await makeMedia(space, JPEG_FACTS, text);
  moveClock(0);
  return { space, media, queue: queueOf(space) };
}

/** Lets a time of the queue come. */
async function later(space: Space, byMs: number = LIMITS.quietMs): Promise<boolean> {
  moveClock(byMs);
  return runDurableObjectAlarm(objectOf(space));
}

interface Row {
  thumbHash: string | null;
  dominantColor: string | null;
  tries: number | null;
}
const rowOf = async ({ id }: Media, version = 1): Promise<Row | null> =>
  bindings.DB.prepare(
    `SELECT thumb_hash AS thumbHash, dominant_color AS dominantColor, placeholder_tries AS tries
     FROM masters WHERE media_id = ? AND version = ?`,
  )
    .bind(id, version)
    .first<Row>();

const MADE: Row = { ...PLACEHOLDER, tries: null };
const NONE: Row = { thumbHash: null, dominantColor: null, tries: null };
const bare = (tries: number): Row => ({ thumbHash: null, dominantColor: null, tries });
const untilRow = (media: Media, row: Row): Promise<void> =>
  vi.waitFor(async () => expect(await rowOf(media)).toEqual(row));
/** The queue knows of nothing left to do. */
const untilDone = (space: Space): Promise<void> =>
  vi.waitFor(async () => expect(await queueSql(space, "SELECT * FROM idle_work")).toEqual([]));

/** After a try without a result. */
const PAUSE_MS = 30_000;
/** A try has ended without a result: the queue waits for longer than it does for quiet. */
const untilPaused = (space: Space): Promise<void> =>
  vi.waitFor(async () => {
    const [work] = await queueSql<{ dueAt: number }>(space, "SELECT due_at AS dueAt FROM idle_work");
    const pauseMs = (work?.dueAt ?? 0) - Date.now();
    expect(pauseMs).toBeGreaterThan(PAUSE_MS / 2);
    expect(pauseMs).toBeLessThanOrEqual(PAUSE_MS);
  });

async function crash(space: Space): Promise<void> {
  await runInDurableObject(objectOf(space), (_, state) => state.abort("crash of a test")).catch(
    () => undefined,
  );
}

describe("a queue with nothing else to do", () => {
  test("makes the placeholders of its space once it is quiet, the newest first, and rests then", async () => {
    const { space, media, queue } = await start("first");
    const second = await makeMedia(space, JPEG_FACTS, "second");
    const stranger = await makeMedia(await makeSpace(), JPEG_FACTS, "of another space");
    await queue.makePlaceholders(space.id);
    expect(await later(space, LIMITS.quietMs - 1)).toBe(true);
    expect(builder.placeholderOrders()).toEqual([]);
    await later(space, 1);
    await untilRow(media, MADE);
    await untilDone(space);
    expect(await rowOf(second)).toEqual(MADE);
    expect(await rowOf(stranger)).toEqual(bare(0));
    const sizes = builder.placeholderOrders().map(({ sourceBytes }) => sourceBytes);
    expect(sizes).toEqual(["second".length, "first".length]);
    expect(builder.placeholderOrders()[0]?.size).toEqual({ width: 100, height: 75 });
    await later(space, 60_000);
    expect(await runDurableObjectAlarm(objectOf(space))).toBe(false);
  });

  test("charges no budget, and holds no place in a lane", async () => {
    const { space, media, queue } = await start();
    await queue.makePlaceholders(space.id);
    expect(await queue.usage()).toMatchObject({ lightWaiting: 0, heavyWaiting: 0, running: 0 });
    await later(space);
    await untilRow(media, MADE);
    expect(await queue.usage()).toMatchObject({ coldBudgetUsed: 0, running: 0 });
  });

  test("takes what is announced while it looks for the last time", async () => {
    const { space, media, queue } = await start();
    builder.nextPlaceholders(async (call) => {
      await makeMedia(space, JPEG_FACTS, "later");
      await queueOf(space).makePlaceholders(space.id);
      return makes(call);
    });
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilRow(media, MADE);
    await untilDone(space);
    expect(builder.placeholderOrders()).toHaveLength(2);
  });

  test("is announced again and again to no effect", async () => {
    const { space, media, queue } = await start();
    await queue.makePlaceholders(space.id);
    moveClock(LIMITS.quietMs - 1);
    await queue.makePlaceholders(space.id);
    await later(space, 1);
    await untilRow(media, MADE);
    await untilDone(space);
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilDone(space);
    expect(builder.placeholderOrders()).toHaveLength(1);
  });
});

describe("a visitor", () => {
  test("does not wait for a placeholder: it is broken off, and made when all is quiet again", async () => {
    const { space, media, queue } = await start();
    builder.nextPlaceholders(hangs);
    await queue.makePlaceholders(space.id);
    await later(space);
    await builder.placeholdersCalled(1);
    const request = requestFor(media, { width: 500 });
    expect(await queue.admit(request)).toEqual({ state: "accepted", lane: "light" });
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(builder.placeholderOrders()).toHaveLength(1);
    await untilRow(media, bare(0));
    expect(await later(space, LIMITS.quietMs - 1)).toBe(true);
    expect(builder.placeholderOrders()).toHaveLength(1);
    await later(space, 1);
    await untilRow(media, MADE);
    expect(builder.placeholderOrders()).toHaveLength(2);
  });

  test("who comes just after an upload is served first, and it is quiet only some time after", async () => {
    const { space, media, queue } = await start();
    await queue.makePlaceholders(space.id);
    moveClock(LIMITS.quietMs - 10);
    const request = requestFor(media, { width: 500 });
    const gate = new Gate();
    builder.next(gate.hold);
    await queue.admit(request);
    await later(space, 10_000);
    expect(builder.placeholderOrders()).toEqual([]);
    gate.open();
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    await later(space, LIMITS.quietMs - 1);
    expect(builder.placeholderOrders()).toEqual([]);
    await later(space, 1);
    await untilRow(media, MADE);
  });

  test("whose job waits for its next try keeps placeholders waiting", async () => {
    const { space, media, queue } = await start();
    const request = requestFor(media, { width: 500 });
    builder.next(buildCrashes);
    await queue.makePlaceholders(space.id);
    await queue.admit(request);
    await builder.called(1);
    await vi.waitFor(async () => expect((await queue.usage()).running).toBe(0));
    await queueSql(space, "UPDATE jobs SET retry_at = ?", Date.now() + 60_000);
    await queueSql(space, "UPDATE idle_work SET due_at = 0");
    await queue.wake();
    expect(builder.placeholderOrders()).toEqual([]);
    await later(space, 60_000);
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(await variantFiles(media)).toEqual([request.file]);
    await later(space);
    await untilRow(media, MADE);
  });
});

describe("a try that comes to nothing", () => {
  test("because the picture cannot be decoded is the only one", async () => {
    const { space, media, queue } = await start();
    builder.alwaysPlaceholder(fails);
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilRow(media, NONE);
    await untilDone(space);
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilDone(space);
    expect(builder.placeholderOrders()).toHaveLength(1);
  });

  test("because the builder is lost, is counted, and others go first", async () => {
    const { space, media, queue } = await start("poison");
    builder.alwaysPlaceholder((call) =>
      call.order.sourceBytes === "poison".length ? lost(call) : makes(call),
    );
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilPaused(space);
    expect(await rowOf(media)).toEqual(bare(1));
    const other = await makeMedia(space, JPEG_FACTS, "sound");
    await later(space, PAUSE_MS);
    await vi.waitFor(async () => expect(await rowOf(other)).toEqual(MADE));
    await untilPaused(space);
    expect(await rowOf(media)).toEqual(bare(2));
    await later(space, PAUSE_MS);
    await untilRow(media, bare(3));
    await untilPaused(space);
    await later(space, PAUSE_MS);
    await untilRow(media, NONE);
    await untilDone(space);
    expect(builder.placeholderOrders()).toHaveLength(LIMITS.triesMax + 1);
    // Not to the same room again and again: one of them may be broken.
    expect(builder.placeholderRooms()).toEqual([3, 3, 2, 1]);
  });

  test.each([
    ["a builder that is busy", () => builder.nextPlaceholders(busy, busy, busy, busy, busy)],
    ["a builder that is down", () => builder.setReachable(false)],
  ])("because of %s is not counted", async (_, disturb) => {
    const { space, media, queue } = await start();
    disturb();
    await queue.makePlaceholders(space.id);
    await later(space);
    for (let round = 0; round < 5; round++) {
      await untilRow(media, bare(0));
      await untilPaused(space);
      if (round === 4) builder.setReachable(true);
      await later(space, PAUSE_MS);
    }
    await untilRow(media, MADE);
  });

  test("because nothing is answered is given up in time, and counted", async () => {
    const { space, media, queue } = await start();
    builder.nextPlaceholders(hangs);
    await queue.makePlaceholders(space.id);
    await later(space);
    await builder.placeholdersCalled(1);
    await later(space, 59_999);
    expect(builder.placeholderOrders()).toHaveLength(1);
    await later(space, 1);
    expect(await rowOf(media)).toEqual(bare(1));
    await later(space, PAUSE_MS);
    await untilRow(media, MADE);
    expect(builder.placeholderRooms()).toEqual([3, 2]);
  });

  test("because the master's file is gone, or is over the limits, calls no builder", async () => {
    const { space, media, queue } = await start();
    const huge = await makeMedia(space, { ...JPEG_FACTS, codedWidth: 10_000, codedHeight: 10_000 });
    await bindings.BUCKET.delete(media.masterKey);
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilRow(media, NONE);
    await vi.waitFor(async () => expect(await rowOf(huge)).toEqual(NONE));
    expect(builder.placeholderOrders()).toEqual([]);
  });

  test.each([
    ["markup", { thumbHash: '"><script>alert(1)</script>', dominantColor: "#000000" }],
    ["a colour of another kind", { ...PLACEHOLDER, dominantColor: "red" }],
    ["nothing", {} as typeof PLACEHOLDER],
  ])("because the builder answers %s writes nothing of it", async (_, placeholder) => {
    const { space, media, queue } = await start();
    builder.nextPlaceholders(() => ({ ok: true, placeholder, peakBytes: 1 }));
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilRow(media, NONE);
  });

  test.each([
    ["look for a master", "DB", "prepare", bare(0)],
    ["read the master", "BUCKET", "get", bare(1)],
  ] as const)("because it could not %s is made up for", async (_, binding, method, row) => {
    const { space, media, queue } = await start();
    await queue.usage();
    await breakBinding(space, binding, method as never);
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilPaused(space);
    expect(await rowOf(media)).toEqual(row);
    await later(space, PAUSE_MS);
    await untilRow(media, MADE);
  });
});

describe("what is not lost", () => {
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

  test("when the queue crashes while one is made: it is tried again, and each crash is counted", async () => {
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

  test("when the announcement is: the sweep finds spaces with masters that are offered, and no others", async () => {
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

  test("but forgotten, with a space that is removed", async () => {
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
  test("the late placeholder of an earlier version is not shown for the new one, which gets its own", async () => {
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
    await vi.waitFor(async () => expect(await rowOf(media, 2)).toEqual(MADE));
    expect(await rowOf(media, 1)).toMatchObject({ dominantColor: "#00000a" });
  });

  test("a trashed one is left alone, and an earlier version", async () => {
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

describe("the media object", () => {
  /** A GIF of one pixel. */
  const DOT = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
  const dot = (): Uint8Array => Uint8Array.from(atob(DOT), (character) => character.codePointAt(0) ?? 0);
  interface Item {
    id: string;
    placeholder: typeof PLACEHOLDER | null;
    updatedAt: string;
    masterVersion: number;
  }

  async function send(client: Client, method: string, path: string): Promise<Item> {
    const { exports } = await import("cloudflare:workers");
    const worker = exports as unknown as { default: Fetcher };
    const response = await worker.default.fetch(`https://api.test/api/v1/${client.space.name}${path}`, {
      method,
      headers: { Authorization: `Bearer ${bindings.ROOT_TOKEN}` },
      body: dot(),
    });
    return (await response.json<{ data: Item }>()).data;
  }

  test("has it wherever it appears, with nothing else changed, and loses it with its file", async () => {
    const client = await Client.make();
    moveClock(0);
    const queue = queueOf(client.space);
    const uploaded = await send(client, "POST", "/media");
    expect(uploaded.placeholder).toBeNull();
    const read = async (): Promise<Item> => (await client.call<Item>("GET", `/media/${uploaded.id}`)).data;
    expect(await read()).toEqual(uploaded);
    await vi.waitFor(async () =>
      expect(await queueSql(client.space, "SELECT space_id AS id FROM idle_work")).toEqual([
        { id: client.space.id },
      ]),
    );
    await client.model("posts", [{ name: "cover", type: "media" }]);
    const post = await client.create("posts", { cover: uploaded.id });
    const populated = () =>
      client.call<{ cover: Item }>("GET", `/data/collections/posts/${post}?populate=cover`);
    const before = await populated();
    expect(before.data.cover.placeholder).toBeNull();

    await later(client.space);
    await vi.waitFor(async () => expect((await read()).placeholder).toEqual(PLACEHOLDER));
    expect(await read()).toEqual({ ...uploaded, placeholder: PLACEHOLDER });
    const list = await client.call<Item[]>("GET", "/media");
    expect(list.data.map(({ placeholder }) => placeholder)).toEqual([PLACEHOLDER]);
    const after = await populated();
    expect(after.data.cover.placeholder).toEqual(PLACEHOLDER);

    // A reader's copy is out of date now; a writer's is not: the record has not changed.
    const tag = before.headers.get("ETag") ?? "";
    const again = await client.call("GET", `/data/collections/posts/${post}?populate=cover`, undefined, {
      headers: { "If-None-Match": tag },
    });
    expect(again.status).toBe(200);
    const written = await client.call(
      "PUT",
      `/data/collections/posts/${post}`,
      { cover: null },
      {
        headers: { "If-Match": tag },
      },
    );
    expect(written.status).toBe(200);

    const replaced = await send(client, "PUT", `/media/${uploaded.id}/file`);
    expect(replaced).toMatchObject({ masterVersion: 2, placeholder: null });
    await later(client.space);
    await vi.waitFor(async () => expect((await read()).placeholder).toEqual(PLACEHOLDER));
    await queue.clear();
  });
});
