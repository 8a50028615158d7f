/** What becomes of a build: other rooms, failures, losses, and what is written in which order. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test, vi } from "vitest";
import { ENCODER_VERSION } from "../../../src/image/model/variant.ts";
import { MEGABYTE_BYTES, QUEUE } from "../../../src/limits.ts";
import type { AdmitRequest } from "../../../src/edge/messages.ts";
import { pngFacts } from "../../../scripts/samples/facts.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import {
  answer,
  breaksOff,
  build,
  builder,
  busy,
  crashes,
  fails,
  Gate,
  type Behaviour,
  type Call,
} from "../support/fake-builder.ts";
import { breakBinding, objectOf, queueOf, requestFor, requestsFor } from "../support/queue.ts";
import { bindings, JPEG_FACTS, makeMedia, makeSpace, variantFiles } from "../support/rows.ts";

cleanBetweenTests();

async function start() {
  const space = await makeSpace();
  const media = await makeMedia(space);
  const queue = queueOf(space);
  const request = requestFor(media, { width: 500 });
  return { space, media, queue, request, retry: () => retry(space) };
}

/** Lets the time of a put-back job come. */
async function retry(space: Parameters<typeof objectOf>[0]): Promise<void> {
  moveClock(15_000);
  await runDurableObjectAlarm(objectOf(space));
}

const doomedKeys = async (): Promise<string[]> =>
  (await bindings.DB.prepare("SELECT key FROM doomed_objects").all<{ key: string }>()).results.map(
    ({ key }) => key,
  );

describe("a master of which parts are needed beside the stream", () => {
  const FACTS = { ...pngFacts(10_000, 8000), interlaced: true };
  const largeRequest = ({ order, ...rest }: AdmitRequest): AdmitRequest => ({
    ...rest,
    order: { ...order, facts: FACTS },
  });

  test("is read by the builder as far as it asks, and by no other", async () => {
    const { media, queue, request } = await start();
    const parts: (string | null | undefined)[] = [];
    builder.always(async ({ readRange, ...call }) => {
      parts.push(await readRange?.(1, 3), await readRange?.(4, 2));
      return build({ readRange, ...call });
    });
    await queue.admit(largeRequest(request));
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(parts).toEqual(["ast", "er"]);
    const small = requestFor(media, { width: 600 });
    await queue.admit(small);
    expect(await queue.settled(small.key)).toEqual({ state: "built" });
    expect(parts.slice(2)).toEqual([undefined, undefined]);
  });

  test("that is removed meanwhile is lost, and gone at the next try", async () => {
    const { media, queue, request, retry } = await start();
    builder.next(async ({ readRange }) => {
      await bindings.BUCKET.delete(media.masterKey);
      throw new Error(`read again: ${String(await readRange?.(0, 3))}`);
    });
    await queue.admit(largeRequest(request));
    await builder.called(1);
    await vi.waitFor(async () => expect(await queue.usage()).toMatchObject({ running: 0 }));
    await retry();
    expect(await queue.settled(request.key)).toEqual({
      state: "failed",
      reason: "the master's file is gone",
    });
  });
});

describe("a busy builder", () => {
  test("another room is asked at once, and the try counts once", async () => {
    const { queue, request } = await start();
    builder.next(busy, busy);
    await queue.admit(request);
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(builder.rooms()).toEqual([0, 1, 2]);
    expect(await (await bindings.BUCKET.get(request.key))?.text()).toBe("master at 500");
  });

  test("with every room busy the job keeps its place and its tries, however often", async () => {
    const { media, queue, request } = await start();
    const heavy = requestFor(media, { width: 600, lane: "heavy" });
    builder.next(...Array<Behaviour>(5 * QUEUE.roomsPerSpace).fill(busy), crashes);
    await queue.admit(request);
    await queue.admit(heavy);
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(builder.widths()).toEqual(Array(5 * QUEUE.roomsPerSpace + 2).fill(500));
    expect(await queue.settled(heavy.key)).toEqual({ state: "built" });
  });

  test("a light job is tried while a heavy one finds no room", async () => {
    const { media, queue } = await start();
    const heavy = requestFor(media, { width: 600, lane: "heavy" });
    const light = requestFor(media, { width: 500 });
    builder.always(({ order, ...call }) =>
      order.spec.width === 600 ? { ok: false, code: "busy" } : build({ order, ...call }),
    );
    await queue.admit(heavy);
    await builder.called(QUEUE.roomsPerSpace);
    await queue.admit(light);
    expect(await queue.settled(light.key)).toEqual({ state: "built" });
    await vi.waitFor(async () => expect(await queue.usage()).toMatchObject({ heavyWaiting: 1, running: 0 }));
  });

  test("a builder that never finds room fails the job in the end", async () => {
    const { queue, request, retry } = await start();
    builder.always(busy);
    await queue.admit(request);
    await builder.called(QUEUE.roomsPerSpace);
    const settled = queue.settled(request.key);
    moveClock(11 * 60_000);
    await retry();
    expect(await settled).toEqual({ state: "failed", reason: "the builder has no room" });
    expect(await queue.admit(request)).toMatchObject({ state: "unavailable" });
  });
});

describe("losses", () => {
  test("a lost job is tried again, its third loss is a failure", async () => {
    const { queue, request, retry } = await start();
    builder.always(crashes);
    await queue.admit(request);
    for (let tries = 1; tries <= QUEUE.lossesMax; tries++) {
      await builder.called(tries);
      await vi.waitFor(async () => expect((await queue.usage()).running).toBe(0));
      if (tries < QUEUE.lossesMax) expect(await queue.admit(request)).toMatchObject({ state: "coalesced" });
      await retry();
    }
    expect(await queue.settled(request.key)).toMatchObject({ state: "failed" });
    expect(await queue.admit(request)).toMatchObject({ state: "unavailable" });
    expect(builder.widths()).toHaveLength(QUEUE.lossesMax);
  });

  test("a builder that is down for a while costs a job one try, not three", async () => {
    const { queue, request, retry } = await start();
    builder.setReachable(false);
    await queue.admit(request);
    for (let round = 1; round <= 5; round++) {
      await vi.waitFor(async () => expect((await queue.usage()).running).toBe(0));
      await retry();
    }
    await vi.waitFor(async () => expect((await queue.usage()).running).toBe(0));
    expect(builder.pings()).toBe(5 * QUEUE.roomsPerSpace);
    builder.setReachable(true);
    await retry();
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
  });

  test("others are built while a lost job waits", async () => {
    const { media, queue } = await start();
    const [first, ...rest] = requestsFor(media, 3, 1);
    builder.next(crashes);
    for (const request of [first, ...rest]) if (request) await queue.admit(request);
    for (const { key } of rest) expect(await queue.settled(key)).toEqual({ state: "built" });
    expect(builder.widths()).toEqual([1, 2, 3]);
  });

  const short: Behaviour = () => answer("short", 6);
  const long: Behaviour = () => answer("too long", 7);
  const nonsense: Behaviour = () => answer("nonsense", -1);
  test.each([
    ["ends short", short],
    ["is too long", long],
    ["breaks off", breaksOff],
    ["has no length", nonsense],
  ])("a body that %s leaves nothing behind and is a loss", async (_, behaviour) => {
    const { media, queue, request, retry } = await start();
    builder.next(behaviour);
    await queue.admit(request);
    await builder.called(1);
    await vi.waitFor(async () => expect((await queue.usage()).running).toBe(0));
    expect(await bindings.BUCKET.head(request.key)).toBeNull();
    expect(await variantFiles(media)).toEqual([]);
    expect(await doomedKeys()).toEqual([request.key]);
    await retry();
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(await (await bindings.BUCKET.get(request.key))?.text()).toBe("master at 500");
    expect(await doomedKeys()).toEqual([]);
  });

  test.each([
    ["the read of the master", "BUCKET", "get"],
    ["the write of the variant", "BUCKET", "put"],
    ["the intent", "DB", "prepare"],
    ["the row", "DB", "batch"],
  ] as const)("%s failing once is a loss, not a failure", async (_, binding, method) => {
    const { space, media, queue, request, retry } = await start();
    await breakBinding(space, binding, method as never);
    await queue.admit(request);
    await vi.waitFor(async () => expect((await queue.usage()).running).toBe(0));
    expect(await queue.usage()).toMatchObject({ lightWaiting: 1, failuresRemembered: 0 });
    expect(await variantFiles(media)).toEqual([]);
    await retry();
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(await variantFiles(media)).toEqual([request.file]);
    expect(await doomedKeys()).toEqual([]);
  });
});

describe("what is written", () => {
  const large = 12 * MEGABYTE_BYTES;
  test.each([
    ["whole", async ({ readMaster }: Call) => answer((await readMaster()).slice(0, large / 2))],
    ["not at all", () => answer("m".repeat(large / 2))],
  ])("a large variant of a large master, which the builder reads %s", async (_, behaviour) => {
    const space = await makeSpace();
    const media = await makeMedia(space, JPEG_FACTS, "m".repeat(large));
    const queue = queueOf(space);
    const request = requestFor(media, { width: 500 });
    builder.next(behaviour);
    await queue.admit(request);
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect((await bindings.BUCKET.head(request.key))?.size).toBe(large / 2);
  });

  test("the intent is there before the bytes are, and gone with the row", async () => {
    const { queue, request } = await start();
    const gate = new Gate();
    builder.next(gate.hold);
    await queue.admit(request);
    await vi.waitFor(async () => expect(await doomedKeys()).toEqual([request.key]));
    expect(await bindings.BUCKET.head(request.key)).toBeNull();
    gate.open();
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(await doomedKeys()).toEqual([]);
  });

  test("bytes that are there already stay as they are, and are offered", async () => {
    const { media, queue, request } = await start();
    await bindings.BUCKET.put(request.key, "earlier bytes");
    await queue.admit(request);
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(await (await bindings.BUCKET.get(request.key))?.text()).toBe("earlier bytes");
    expect(await variantFiles(media)).toEqual([request.file]);
    expect(await bindings.DB.prepare("SELECT size_bytes AS size FROM variants").first("size")).toBe(13);
  });

  test.each([
    ["deleted", "DELETE FROM masters"],
    ["trashed", "UPDATE media SET deleted_at = 1"],
    ["replaced", "UPDATE media SET master_version = 2, last_version = 2"],
  ])("a master %s in mid-build is offered no variant, and its bytes stay doomed", async (_, change) => {
    const { media, queue, request } = await start();
    const gate = new Gate();
    builder.next(gate.hold);
    await queue.admit(request);
    await builder.called(1);
    const settled = queue.settled(request.key);
    await bindings.DB.prepare(change).run();
    gate.open();
    expect(await settled).toEqual({ state: "failed", reason: "the master was removed during the build" });
    expect(await variantFiles(media)).toEqual([]);
    expect(await doomedKeys()).toEqual([request.key]);
    // Nothing is held against the key: what is restored is built when it is asked for.
    expect(await queue.usage()).toMatchObject({ lightWaiting: 0, running: 0, failuresRemembered: 0 });
  });

  test("a master whose file is gone ends the job, and is not held against it", async () => {
    const { media, queue, request } = await start();
    await bindings.BUCKET.delete(media.masterKey);
    await queue.admit(request);
    await vi.waitFor(async () => expect((await queue.usage()).running).toBe(0));
    expect(await queue.settled(request.key)).toEqual({ state: "unknown" });
    expect(builder.widths()).toEqual([500]);
  });

  test("a variant evicted by a newer one is no hit from memory", async () => {
    const { space, media, queue, request } = await start();
    await queue.admit(request);
    await queue.settled(request.key);
    await bindings.DB.prepare("UPDATE variants SET created_at = 1").run();
    await fillVariants(space.id, media.id, 191);
    const next = requestFor(media, { width: 501 });
    await queue.admit(next);
    await queue.settled(next.key);
    expect(await variantFiles(media)).not.toContain(request.file);
    expect(await doomedKeys()).toEqual([request.key]);
    expect(await queue.admit(request)).toMatchObject({ state: "accepted" });
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
  });

  test("one line of JSON tells of a build, without who asked", async () => {
    const { queue, request } = await start();
    const lines = vi.spyOn(console, "log").mockImplementation(() => undefined);
    builder.next(fails("not a picture"));
    await queue.admit({ ...request, client: "203.0.113.77" });
    await queue.settled(request.key);
    const logged = lines.mock.calls.map(([line]) => String(line));
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? "")).toEqual({
      event: "build",
      spaceId: request.spaceId,
      key: request.key,
      lane: "light",
      state: "failed",
      final: true,
      attempts: 1,
      room: 0,
      reason: "not a picture",
      code: "corrupt",
      stage: "decode",
    });
  });
});

async function fillVariants(spaceId: string, mediaId: string, count: number): Promise<void> {
  await bindings.DB.prepare(
    `INSERT INTO variants (media_id, version, file, space_id, encoder_version, size_bytes, created_at, expires_at)
     SELECT ?1, 1, 'w' || (1000 + value) || '-q80-e' || ?4 || '.webp', ?2, ?4, 10, 1000 + value, 9e15
     FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?3)
           SELECT value FROM n)`,
  )
    .bind(mediaId, spaceId, count, ENCODER_VERSION)
    .run();
}
