/** The lane "idle": variants that are built ahead, while nobody waits for anything (RULES 9.7). */
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import type { AdmitRequest } from "../../../src/edge/messages.ts";
import { DAY_MS, PLACEHOLDER, QUEUE, VARIANT } from "../../../src/limits.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import {
  CORRUPT,
  builder,
  busy,
  crashes,
  fails,
  Gate,
  hangs,
  type Behaviour,
} from "../support/builder/fake-builder.ts";
import { crash, objectOf, queueOf, queueSql, requestFor } from "../support/queue.ts";
import { bindings, makeMedia, makeSpace, variantFiles, type Media, type Space } from "../support/rows.ts";

cleanBetweenTests();

async function start() {
  const space = await makeSpace();
  const media = await makeMedia(space);
  await bindings.DB.prepare("UPDATE masters SET placeholder_tries = NULL").run();
  moveClock(0);
  return { space, media, queue: queueOf(space), request: requestFor(media, { width: 500 }) };
}

/** Lets the time of quiet be over, or as much as told. */
async function later(space: Space, byMs: number = PLACEHOLDER.quietMs): Promise<void> {
  moveClock(byMs);
  await runDurableObjectAlarm(objectOf(space));
}

const untilStored = (media: Media, ...requests: AdmitRequest[]): Promise<void> =>
  eventually(async () =>
    expect(await variantFiles(media)).toEqual(requests.map(({ file }) => file).toSorted()),
  );

const jobs = (space: Space): Promise<unknown[]> => queueSql(space, "SELECT lane, attempts FROM jobs");
const untilDone = (space: Space): Promise<void> =>
  eventually(async () => expect(await jobs(space)).toEqual([]));

describe("a variant that is built ahead", () => {
  test("is built once the queue is idle, and charged to nobody", async () => {
    const { space, media, queue, request } = await start();
    expect(await queue.buildWhenIdle(request)).toBe(true);
    expect(await queue.buildWhenIdle(request)).toBe(true);
    expect(builder.widths()).toEqual([]);
    await later(space);
    await untilStored(media, request);
    await untilDone(space);
    expect(builder.widths()).toEqual([500]);
    expect((await queue.usage()).coldBudgetUsed).toBe(0);
    expect((await queue.activity()).builds).toMatchObject([
      { key: request.key, lane: "idle", state: "built" },
    ]);
    expect(await queueSql(space, "SELECT * FROM idle_work")).toEqual([]);
  });

  test("is built after the placeholders", async () => {
    const { space, media, queue, request } = await start();
    await bindings.DB.prepare("UPDATE masters SET placeholder_tries = 0").run();
    await queue.buildWhenIdle(request);
    builder.alwaysPlaceholder(hangs);
    await later(space);
    await builder.placeholdersCalled(1);
    expect(builder.widths()).toEqual([]);
    builder.alwaysPlaceholder(() => ({ ok: false, code: "failed", reason: "no picture", failure: CORRUPT }));
    await later(space, PLACEHOLDER.tryMaxMs);
    await later(space, PLACEHOLDER.pauseMs);
    await untilStored(media, request);
  });

  test("that exists and is fresh is not built again", async () => {
    const { space, media, queue, request } = await start();
    await queue.admit(request);
    await queue.settled(request.key);
    moveClock(QUEUE.builtMemoryMs + 1000);
    await queue.buildWhenIdle(request);
    await later(space);
    await untilDone(space);
    expect(builder.widths()).toEqual([500]);
    expect(await variantFiles(media)).toEqual([request.file]);
  });

  test("is rebuilt before it expires, including its bytes", async () => {
    const { space, media, queue, request } = await start();
    await queue.admit(request);
    await queue.settled(request.key);
    const before = await bindings.BUCKET.head(request.key);
    moveClock(VARIANT.lifetimeMs - VARIANT.renewBeforeMs);
    await queue.buildWhenIdle(request);
    await later(space);
    await untilDone(space);
    const row = await bindings.DB.prepare("SELECT expires_at AS expiresAt FROM variants WHERE media_id = ?")
      .bind(media.id)
      .first<{ expiresAt: number }>();
    expect(row?.expiresAt).toBeGreaterThan(Date.now() + VARIANT.lifetimeMs - DAY_MS);
    expect(builder.widths()).toEqual([500, 500]);
    expect((await bindings.BUCKET.head(request.key))?.version).not.toBe(before?.version);
  });

  test(`finds no place beside ${QUEUE.idleWaitingMax} others, which keep no visitor out`, async () => {
    const { space, media, queue, request } = await start();
    builder.always(hangs);
    await queue.buildWhenIdle(request);
    await queueSql(
      space,
      `INSERT INTO jobs (key, lane, request)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       SELECT i, 'idle', '{}' FROM n`,
      QUEUE.idleWaitingMax - 1,
    );
    const other = requestFor(media, { width: 1000 });
    expect(await queue.buildWhenIdle(other)).toBe(false);
    await queueSql(space, "DELETE FROM jobs WHERE key = '1'");
    expect(await queue.buildWhenIdle(other)).toBe(true);
    expect(await queue.admit(requestFor(media, { width: 1600 }))).toMatchObject({ state: "accepted" });
  });
});

describe("a visitor's build", () => {
  test("stops a build ahead of time, which is made later, once", async () => {
    const { space, media, queue, request } = await start();
    builder.next(hangs);
    await queue.buildWhenIdle(request);
    await later(space);
    await builder.called(1);
    const visitors = requestFor(media, { width: 1000 });
    expect(await queue.admit(visitors)).toEqual({ state: "accepted", lane: "light" });
    expect(await queue.settled(visitors.key)).toEqual({ state: "built" });
    expect(await jobs(space)).toEqual([{ lane: "idle", attempts: 0 }]);
    await later(space);
    await untilStored(media, request, visitors);
    await untilDone(space);
    expect(builder.widths()).toEqual([500, 1000, 500]);
  });

  test("of the same variant takes over a build ahead of time", async () => {
    const { space, queue, request } = await start();
    const gate = new Gate();
    builder.always(gate.hold);
    await queue.buildWhenIdle(request);
    await later(space);
    await builder.called(1);
    expect(await queue.admit(request)).toEqual({ state: "accepted", lane: "light" });
    expect(await queue.admit(request)).toEqual({ state: "coalesced", lane: "light" });
    const settled = queue.settled(request.key);
    gate.open();
    expect(await settled).toEqual({ state: "built" });
    expect(builder.widths()).toEqual([500]);
    expect((await queue.usage()).coldBudgetUsed).toBe(1);
  });

  test("of a variant that waits to be built ahead is made at once, and only once", async () => {
    const { space, queue, request } = await start();
    await queue.buildWhenIdle(request);
    expect(await queue.admit(request)).toEqual({ state: "accepted", lane: "light" });
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    await later(space);
    expect(await jobs(space)).toEqual([]);
    expect(builder.widths()).toEqual([500]);
  });
});

describe("when building ahead fails", () => {
  test("a crash in the middle of it loses and doubles nothing", async () => {
    const { space, media, queue, request } = await start();
    builder.next(hangs);
    const other = requestFor(media, { width: 1000 });
    await queue.buildWhenIdle(request);
    await queue.buildWhenIdle(other);
    await later(space);
    await builder.called(1);
    await crash(space);
    await later(space);
    await untilStored(media, request, other);
    await untilDone(space);
    expect(builder.widths()).toEqual([500, 500, 1000]);
  });

  test("a crash after its row was written builds nothing again", async () => {
    const { space, media, queue, request } = await start();
    await queue.admit(request);
    await queue.settled(request.key);
    // As an instance left it that ended between the row and its own note of it.
    await queueSql(space, "DELETE FROM outcomes");
    await queue.buildWhenIdle(request);
    await queueSql(space, "UPDATE jobs SET lease_owner = 'one that ended', lease_until = 0, attempts = 1");
    await evictDurableObject(objectOf(space));
    await later(space);
    await later(space);
    await untilDone(space);
    expect(builder.widths()).toEqual([500]);
    expect(await variantFiles(media)).toEqual([request.file]);
  });

  test("a builder without memory is asked again after a pause, however often", async () => {
    const { space, media, queue, request } = await start();
    builder.next(...Array<Behaviour>(QUEUE.roomsPerSpace).fill(busy));
    await queue.buildWhenIdle(request);
    await later(space);
    await builder.called(QUEUE.roomsPerSpace);
    await eventually(async () => expect(await queue.usage()).toMatchObject({ running: 0 }));
    await later(space, QUEUE.busyMaxMs * 2);
    await untilStored(media, request);
  });

  test("a build that loses its builder three times is abandoned, and visitors can still request it", async () => {
    const { space, queue, request } = await start();
    builder.next(crashes, crashes, crashes);
    await queue.buildWhenIdle(request);
    for (let n = 1; n <= QUEUE.lossesMax; n++) {
      await later(space, PLACEHOLDER.pauseMs);
      await builder.called(n);
      await eventually(async () => expect(await queue.usage()).toMatchObject({ running: 0 }));
    }
    expect(await jobs(space)).toEqual([]);
    expect(await queue.admit(request)).toMatchObject({ state: "accepted" });
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
  });

  test("a picture that cannot be built is remembered, like after a visitor's build", async () => {
    const { space, queue, request } = await start();
    builder.next(fails("not a picture"));
    await queue.buildWhenIdle(request);
    await later(space);
    await untilDone(space);
    expect(await queue.admit(request)).toEqual({ state: "unavailable", reason: "not a picture" });
    expect(await queue.buildWhenIdle(request)).toBe(false);
  });
});
