/**
 * The order that the builder gets beside the stream, and the rows that are written about a build, in their sequence.
 */
import { describe, expect, test, vi } from "vitest";
import { ENCODER_VERSION, type VariantSpec } from "../../../src/image/model/variant.ts";
import type { BuildPlan } from "../../../src/image/plan/build-plan.ts";
import { planUnbounded } from "../../../src/image/plan/plan.ts";
import { orderFor } from "../../../src/image/protocol/order.ts";
import { CACHE, MEGABYTE_BYTES, QUEUE } from "../../../src/limits.ts";
import type { AdmitRequest } from "../../../src/edge/messages.ts";
import { pngFacts } from "../../../scripts/samples/facts.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import {
  answer,
  type Behaviour,
  build,
  builder,
  fails,
  Gate,
  type Call,
} from "../support/builder/fake-builder.ts";
import { bytesOf } from "../support/builder/builder-calls.ts";
import { queueOf, requestFor } from "../support/queue.ts";
import { bindings, JPEG_FACTS, makeMedia, makeSpace, variantFiles } from "../support/rows.ts";
import { start, doomedKeys } from "../support/builder/builds.ts";
import { runSweep } from "../support/sweep.ts";

cleanBetweenTests();

describe("a master of which ranges are read beside the stream", () => {
  const FACTS = { ...pngFacts(10_000, 8000), interlaced: true };
  const planOf = (spec: VariantSpec): BuildPlan => {
    const plan = planUnbounded(FACTS, 1, spec);
    if (!plan.ok) throw new Error(plan.reason);
    return plan;
  };
  const largeRequest = ({ order, ...rest }: AdmitRequest): AdmitRequest => ({
    ...rest,
    order: orderFor(FACTS, order.sourceBytes, order.spec, planOf(order.spec)),
  });

  test("can be read only by the builder, and only the ranges that it asks for", async () => {
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

  test("that is removed meanwhile ends the try, and the next try ends the job", async () => {
    const { media, queue, request, retry } = await start();
    builder.next(async ({ readRange }) => {
      await bindings.BUCKET.delete(media.masterKey);
      throw new Error(`read again: ${String(await readRange?.(0, 3))}`);
    });
    await queue.admit(largeRequest(request));
    await builder.called(1);
    await eventually(async () => expect(await queue.usage()).toMatchObject({ running: 0 }));
    await retry();
    expect(await queue.settled(request.key)).toEqual({
      state: "failed",
      reason: "the master's file is gone",
    });
  });
});

describe("what a build writes", () => {
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

  test("the pending delete is recorded before the bytes are written, and cancelled with the row (RULES 10.1)", async () => {
    const { queue, request } = await start();
    const gate = new Gate();
    builder.next(gate.hold);
    await queue.admit(request);
    await eventually(async () => expect(await doomedKeys()).toEqual([request.key]));
    expect(await bindings.BUCKET.head(request.key)).toBeNull();
    gate.open();
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(await doomedKeys()).toEqual([]);
  });

  describe("from an answer with the bytes in it", () => {
    const asBytes =
      (text: string, byteLength = text.length): Behaviour =>
      () => ({ ...answer(text, byteLength), body: bytesOf(text) });

    test("is stored whole, with its row", async () => {
      const { media, queue, request } = await start();
      builder.next(asBytes("a small file"));
      await queue.admit(request);
      expect(await queue.settled(request.key)).toEqual({ state: "built" });
      expect(await (await bindings.BUCKET.get(request.key))?.text()).toBe("a small file");
      expect(await bindings.DB.prepare("SELECT size_bytes AS size FROM variants").first("size")).toBe(12);
      expect(await variantFiles(media)).toEqual([request.file]);
      expect(await doomedKeys()).toEqual([]);
    });

    test("of another length is a loss: nothing of it is stored, and the next try stores the file", async () => {
      const { queue, request, retry } = await start();
      builder.next(asBytes("cut off", 100), asBytes("the whole file"));
      await queue.admit(request);
      await builder.called(1);
      await eventually(async () => expect(await queue.usage()).toMatchObject({ running: 0 }));
      expect(await bindings.BUCKET.head(request.key)).toBeNull();
      await retry();
      expect(await queue.settled(request.key)).toEqual({ state: "built" });
      expect(await (await bindings.BUCKET.get(request.key))?.text()).toBe("the whole file");
    });

    test("of a master that was trashed meanwhile is offered by no row, and its bytes stay doomed", async () => {
      const { media, queue, request } = await start();
      builder.next(async (call) => {
        await bindings.DB.prepare("UPDATE media SET deleted_at = 1").run();
        return asBytes("too late")(call);
      });
      await queue.admit(request);
      await eventually(async () =>
        expect(await queue.usage()).toMatchObject({ running: 0, lightWaiting: 0 }),
      );
      expect(await variantFiles(media)).toEqual([]);
      expect(await doomedKeys()).toEqual([request.key]);
    });
  });

  test("bytes that exist already stay as they are, and are used", async () => {
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
  ])(
    "a master %s in mid-build is offered no variant, and its bytes are deleted after an hour",
    async (_, change) => {
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
      // Nothing is held against the key: a restored item is built when it is asked for.
      expect(await queue.usage()).toMatchObject({ lightWaiting: 0, running: 0, failuresRemembered: 0 });
      expect(await bindings.BUCKET.head(request.key)).not.toBeNull();
      await runSweep(Date.now() + CACHE.bytesOutliveRowMs);
      expect(await bindings.BUCKET.head(request.key)).toBeNull();
      expect(await doomedKeys()).toEqual([]);
    },
  );

  test.each([
    ["deleted", "DELETE FROM masters"],
    ["trashed", "UPDATE media SET deleted_at = 1"],
    ["replaced", "UPDATE media SET master_version = 2, last_version = 2"],
  ])("a master %s while its build waits is not built", async (_, change) => {
    const { media, queue, request } = await start();
    const gate = new Gate();
    builder.next(gate.hold);
    await queue.admit(request);
    await builder.called(1);
    const [waits, later] = [600, 700].map((width) => requestFor(media, { width }));
    await queue.admit(waits!);
    moveClock(1);
    await queue.admit(later!);
    moveClock(QUEUE.waitedMs - 1);
    await bindings.DB.prepare(change).run();
    const settled = [waits, later].map((one) => queue.settled(one!.key));
    gate.open();
    expect(await Promise.all(settled)).toEqual([
      { state: "failed", reason: "the master was removed before the build" },
      { state: "failed", reason: "the master was removed during the build" },
    ]);
    expect(builder.widths()).toEqual([500, 700]);
    expect(await queue.usage()).toMatchObject({ lightWaiting: 0, running: 0, failuresRemembered: 0 });
  });

  test("a missing master ends the job without being remembered as a failure", async () => {
    const { media, queue, request } = await start();
    await bindings.BUCKET.delete(media.masterKey);
    await queue.admit(request);
    await eventually(async () => expect((await queue.usage()).running).toBe(0));
    expect(await queue.settled(request.key)).toEqual({ state: "unknown" });
    expect(builder.widths()).toEqual([500]);
  });

  test("a variant that a newer one evicted is not a hit from memory", async () => {
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

  test("a build is logged as one line of JSON, without the client", async () => {
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
