/** Variants that come in parts: stored whole or not at all, whatever ends the build between two of them. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { DAY_MS, MULTIPART } from "../../../src/limits.ts";
import { QUEUE } from "../../../src/limits.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { CORRUPT, builder, crashes, fails, hangs, inParts, part } from "../support/builder/fake-builder.ts";
import { breakBinding, objectOf, queueOf, requestFor } from "../support/queue.ts";
import { runSweep } from "../support/sweep.ts";
import { bindings, makeMedia, makeSpace, variantFiles, type Space } from "../support/rows.ts";

cleanBetweenTests();

const PART = MULTIPART.partBytes;
const bytesOf = (length: number, seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, at) => (at >> 9) * seed + at);
const [first, second] = [bytesOf(PART, 3), bytesOf(PART, 5)];

async function start() {
  const space = await makeSpace();
  const media = await makeMedia(space);
  const queue = queueOf(space);
  // A lost build is tried again after half a second: looked at later than that, it would be running again.
  moveClock(0);
  return { space, media, queue, request: requestFor(media, { width: 500, lane: "heavy" }) };
}

const doomed = async (): Promise<{ key: string; uploadId: string | null }[]> =>
  (
    await bindings.DB.prepare("SELECT key, upload_id AS uploadId FROM doomed_objects").all<{
      key: string;
      uploadId: string | null;
    }>()
  ).results;

/** Returns the upload that is on record for the key, once it is. */
const uploadIdOf = (key: string): Promise<string> =>
  eventually(async () => {
    const uploadId = (await doomed()).find((row) => row.key === key)?.uploadId;
    if (!uploadId) throw new Error("no upload is on record");
    return uploadId;
  });

const isOpen = (key: string, uploadId: string): Promise<boolean> =>
  bindings.BUCKET.resumeMultipartUpload(key, uploadId)
    .uploadPart(9, "x")
    .then(
      () => true,
      () => false,
    );

const restart = async (space: Space): Promise<void> => {
  moveClock(15_000);
  await runDurableObjectAlarm(objectOf(space));
};

describe("a variant in parts", () => {
  test.each([
    ["two", [first, bytesOf(1, 7)]],
    ["three", [first, second, bytesOf(123_457, 7)]],
    ["three full ones", [first, second, bytesOf(PART, 7)]],
  ])("of %s is stored byte for byte, with what it is served with", async (_, all) => {
    const { media, queue, request } = await start();
    const others = all.slice(1).map((each, n) => part(each, n === all.length - 2));
    builder.next(inParts(all[0]!, ...others));
    await queue.admit(request);
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    const stored = await bindings.BUCKET.get(request.key);
    const whole = new Uint8Array(await new Blob(all).arrayBuffer());
    expect(stored?.size).toBe(whole.length);
    const kept = new Uint8Array(await stored!.arrayBuffer());
    expect(kept.every((byte, at) => byte === whole[at])).toBe(true);
    expect(stored?.httpMetadata).toEqual({
      contentType: "image/webp",
      cacheControl: "public, max-age=31536000, immutable",
    });
    const size = await bindings.DB.prepare("SELECT size_bytes AS size FROM variants").first("size");
    expect(size).toBe(whole.length);
    expect(await variantFiles(media)).toEqual([request.file]);
    expect(await doomed()).toEqual([]);
    await eventually(() => expect(builder.disposed()).toBe(1));
  });

  test("replaces bytes that an earlier try has left", async () => {
    const { queue, request } = await start();
    await bindings.BUCKET.put(request.key, "earlier bytes");
    builder.next(inParts(first, part(second, true)));
    await queue.admit(request);
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect((await bindings.BUCKET.head(request.key))?.size).toBe(2 * PART);
  });
});

describe("a build that ends between two parts", () => {
  test("failed: nothing is stored, and the failure is remembered", async () => {
    const { media, queue, request } = await start();
    builder.next(
      inParts(first, part(second), () => ({
        ok: false,
        code: "failed",
        reason: "cut short",
        failure: CORRUPT,
      })),
    );
    await queue.admit(request);
    const uploadId = await uploadIdOf(request.key);
    expect(await queue.settled(request.key)).toEqual({ state: "failed", reason: "cut short" });
    expect(await queue.admit(request)).toEqual({ state: "unavailable", reason: "cut short" });
    expect(await isOpen(request.key, uploadId)).toBe(false);
    expect(await bindings.BUCKET.head(request.key)).toBeNull();
    expect(await variantFiles(media)).toEqual([]);
    await eventually(() => expect(builder.disposed()).toBe(1));
  });

  const breaks = (): never => {
    throw new Error("Network connection lost.");
  };
  test.each([
    ["is lost", inParts(first, breaks)],
    ["gives a short part", inParts(first, part(second.subarray(1)), part(first, true))],
    ["gives no more", inParts(first, part(second))],
  ])("%s: it is tried again, and the next try stores it", async (_, behaviour) => {
    const { space, queue, request } = await start();
    builder.next(behaviour, inParts(first, part(second, true)));
    await queue.admit(request);
    const uploadId = await uploadIdOf(request.key);
    await eventually(async () => expect((await queue.usage()).running).toBe(0));
    expect(await isOpen(request.key, uploadId)).toBe(false);
    expect(await bindings.BUCKET.head(request.key)).toBeNull();
    await restart(space);
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect((await bindings.BUCKET.head(request.key))?.size).toBe(2 * PART);
    expect(await doomed()).toEqual([]);
  });

  test.each([
    ["the upload's beginning", "BUCKET", "createMultipartUpload"],
    ["the upload's record, or the row", "DB", "batch"],
  ] as const)("%s failing once is a loss, not a failure", async (_, binding, method) => {
    const { space, media, queue, request } = await start();
    builder.always(inParts(first, part(second, true)));
    await breakBinding(space, binding, method as never);
    await queue.admit(request);
    await eventually(async () => expect((await queue.usage()).running).toBe(0));
    expect(await queue.usage()).toMatchObject({ heavyWaiting: 1, failuresRemembered: 0 });
    await restart(space);
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(await variantFiles(media)).toEqual([request.file]);
  });

  test("past its time: the upload is aborted, and another room builds it", async () => {
    const { space, queue, request } = await start();
    builder.next(inParts(first, hangs), inParts(first, part(second, true)));
    await queue.admit(request);
    const uploadId = await uploadIdOf(request.key);
    await eventually(() => expect(builder.partsAsked()).toBe(1));
    moveClock(QUEUE.leaseMs.heavy);
    await runDurableObjectAlarm(objectOf(space));
    expect(await queue.usage()).toMatchObject({ running: 0 });
    await eventually(async () => expect(await isOpen(request.key, uploadId)).toBe(false));
    await restart(space);
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(builder.rooms()).toEqual([0, 1]);
    expect((await bindings.BUCKET.head(request.key))?.size).toBe(2 * PART);
  });

  const crash = async (space: Space): Promise<void> => {
    await runInDurableObject(objectOf(space), (_, state) => state.abort("crash of a test")).catch(
      () => undefined,
    );
  };

  test("by a crash of the queue: the next try ends the upload that was begun", async () => {
    const { space, media, request } = await start();
    builder.next(inParts(first, hangs), inParts(first, part(second, true)));
    await queueOf(space).admit(request);
    const uploadId = await uploadIdOf(request.key);
    await eventually(() => expect(builder.partsAsked()).toBe(1));
    await crash(space);
    expect(await isOpen(request.key, uploadId)).toBe(true);
    await queueOf(space).wake();
    await eventually(async () => expect(await variantFiles(media)).toEqual([request.file]));
    expect(await isOpen(request.key, uploadId)).toBe(false);
    expect((await bindings.BUCKET.head(request.key))?.size).toBe(2 * PART);
    expect(await doomed()).toEqual([]);
  });

  test.each([
    ["fails", fails("not a picture")],
    ["is lost", crashes],
  ])("by a crash of the queue, when the next try %s: the sweep ends the upload", async (_, behaviour) => {
    const { space, request } = await start();
    builder.next(inParts(first, hangs));
    builder.always(behaviour);
    await queueOf(space).admit(request);
    const uploadId = await uploadIdOf(request.key);
    await eventually(() => expect(builder.partsAsked()).toBe(1));
    await crash(space);
    await queueOf(space).wake();
    await builder.called(2);
    await eventually(async () => expect((await queueOf(space).usage()).running).toBe(0));
    expect(await isOpen(request.key, uploadId)).toBe(true);
    const now = Date.now() + 2 * DAY_MS;
    const clearQueue = (id: string): Promise<void> => queueOf({ id, name: "" }).clear();
    await runSweep(now, { clearQueue });
    expect(await isOpen(request.key, uploadId)).toBe(false);
    expect(await doomed()).toEqual([]);
  });

  test("by the removal of its space", async () => {
    const { queue, request } = await start();
    builder.next(inParts(first, hangs));
    await queue.admit(request);
    const uploadId = await uploadIdOf(request.key);
    await eventually(() => expect(builder.partsAsked()).toBe(1));
    await queue.clear();
    await eventually(async () => expect(await isOpen(request.key, uploadId)).toBe(false));
  });
});
