/**
 * The answers of the builder beside a variant: the cause of a failure, a fact that it learned, and a reason not to
 * build now.
 */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test, vi } from "vitest";
import { ENCODER_VERSION } from "../../../src/image/model/variant.ts";
import type { FailureCode } from "../../../src/image/protocol/failure.ts";
import { CACHE, QUEUE } from "../../../src/limits.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { build, builder, busy, fails, refuses, type Behaviour } from "../support/builder/fake-builder.ts";
import { objectOf, queueOf, requestFor } from "../support/queue.ts";
import { bindings, JPEG_FACTS, makeMedia, makeSpace, type Media } from "../support/rows.ts";

cleanBetweenTests();

async function start(facts = JPEG_FACTS) {
  const space = await makeSpace();
  const media = await makeMedia(space, facts);
  const queue = queueOf(space);
  // A build that is put back waits for 50 ms and more: looked at later than that, it would be running again.
  moveClock(0);
  return { space, media, queue, request: requestFor(media, { width: 500 }) };
}

const factsOf = async ({ id }: Media): Promise<unknown> => {
  const row = await bindings.DB.prepare("SELECT facts FROM masters WHERE media_id = ?")
    .bind(id)
    .first<{ facts: string }>();
  return JSON.parse(row?.facts ?? "null");
};

describe("a failure (RULES 8.4)", () => {
  test.each<[FailureCode, number]>([
    ["corrupt", QUEUE.failureMemoryMs],
    ["unsupported", QUEUE.failureMemoryMs],
    ["out-of-memory", QUEUE.faultMemoryMs],
    ["internal", QUEUE.faultMemoryMs],
  ])("that is %s is remembered for %i ms", async (code, memoryMs) => {
    const { queue, request } = await start();
    builder.next(fails("no picture", { failure: { code, stage: "decode" } }));
    await queue.admit(request);
    expect(await queue.settled(request.key)).toEqual({ state: "failed", reason: "no picture" });
    moveClock(memoryMs - 1000);
    expect(await queue.admit(request)).toEqual({ state: "unavailable", reason: "no picture" });
    moveClock(2000);
    expect(await queue.admit(request)).toMatchObject({ state: "accepted" });
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
  });

  test("is logged with its code, its stage and the isolate", async () => {
    const { queue, request } = await start();
    const lines = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const failure = { code: "out-of-memory", stage: "encode" } as const;
    builder.next(fails("no memory", { failure, isolate: "1a2b3c4d" }));
    await queue.admit(request);
    await queue.settled(request.key);
    const logged = lines.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown);
    expect(logged).toMatchObject([
      { event: "build", state: "failed", code: "out-of-memory", stage: "encode", isolate: "1a2b3c4d" },
    ]);
  });
});

describe("what a build learns about a master that was stored before frames were counted", () => {
  const UNCOUNTED = { ...JPEG_FACTS, frames: null };

  test("is stored with the variant", async () => {
    const { media, queue, request } = await start(UNCOUNTED);
    builder.next(async (call) => {
      const answer = await build(call);
      const learned = { frames: 1, animated: false };
      return answer.ok && answer.facts ? { ...answer, facts: { ...answer.facts, learned } } : answer;
    });
    await queue.admit(request);
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(await factsOf(media)).toEqual({ ...UNCOUNTED, frames: 1, animated: false });
  });

  test("is stored when it is the reason why there is no variant", async () => {
    const { media, queue, request } = await start(UNCOUNTED);
    const failure = { code: "corrupt", stage: "decode" } as const;
    builder.next(fails("frames would be lost", { failure, learned: { frames: 7, animated: true } }));
    await queue.admit(request);
    expect(await queue.settled(request.key)).toMatchObject({ state: "failed" });
    expect(await factsOf(media)).toEqual({ ...UNCOUNTED, frames: 7, animated: true });
  });

  test("makes the queue forget the failure, once no isolate has the earlier facts", async () => {
    const { media, queue, request } = await start(UNCOUNTED);
    const failure = { code: "corrupt", stage: "decode" } as const;
    builder.next(fails("frames would be lost", { failure, learned: { frames: 7, animated: true } }));
    await queue.admit(request);
    await queue.settled(request.key);
    const listed = await bindings.DB.prepare("SELECT animated FROM media WHERE id = ?")
      .bind(media.id)
      .first();
    expect(listed).toEqual({ animated: 1 });
    expect(await queue.admit(request)).toMatchObject({ state: "unavailable" });
    moveClock(CACHE.factsMs);
    expect(await queue.admit(request)).toMatchObject({ state: "accepted" });
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
  });

  test("never changes what the probe has counted", async () => {
    const { media, queue, request } = await start();
    builder.next(fails("frames would be lost", { learned: { frames: 7, animated: true } }));
    await queue.admit(request);
    await queue.settled(request.key);
    expect(await factsOf(media)).toEqual(JPEG_FACTS);
  });
});

describe("a build that does not fit the builder's isolates", () => {
  test("because they are busy waits for them", async () => {
    const { space, queue, request } = await start();
    builder.next(...Array<Behaviour>(QUEUE.roomsPerSpace).fill(busy));
    await queue.admit(request);
    await builder.called(QUEUE.roomsPerSpace);
    await eventually(async () => expect(await queue.usage()).toMatchObject({ running: 0 }));
    expect(builder.rooms()).toEqual([0, 1, 2, 3]);
    moveClock(5000);
    await runDurableObjectAlarm(objectOf(space));
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
  });
});

describe("encoders of another version", () => {
  test("in the builder: the order goes back to the queue, and is built after the builder was deployed", async () => {
    const { space, queue, request } = await start();
    builder.next(...Array<Behaviour>(QUEUE.roomsPerSpace).fill(refuses("version")));
    await queue.admit(request);
    await builder.called(QUEUE.roomsPerSpace);
    await eventually(async () => expect(await queue.usage()).toMatchObject({ running: 0 }));
    expect(await queue.usage()).toMatchObject({ lightWaiting: 1, failuresRemembered: 0 });
    moveClock(5000);
    await runDurableObjectAlarm(objectOf(space));
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
  });

  test("in an order that waited during a deploy: the order ends, because nobody needs its variant", async () => {
    const { media, queue } = await start();
    const older = requestFor(media, { width: 500, encoderVersion: ENCODER_VERSION + 1 });
    await queue.admit(older);
    await eventually(async () => expect(await queue.usage()).toMatchObject({ running: 0, lightWaiting: 0 }));
    expect(builder.widths()).toEqual([]);
    expect(await queue.settled(older.key)).toEqual({ state: "unknown" });
  });
});
