/** Builds that find no room, and builds that are lost on the way. */
import { describe, expect, test, vi } from "vitest";
import { QUEUE } from "../../../src/limits.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import {
  answer,
  breaksOff,
  build,
  builder,
  busy,
  crashes,
  type Behaviour,
} from "../support/builder/fake-builder.ts";
import { breakBinding, requestFor, requestsFor } from "../support/queue.ts";
import { bindings, variantFiles } from "../support/rows.ts";
import { start, doomedKeys } from "../support/builder/builds.ts";

cleanBetweenTests();

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
    // Its tries come by themselves.
    vi.useRealTimers();
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
    await eventually(async () => expect(await queue.usage()).toMatchObject({ heavyWaiting: 1, running: 0 }));
  });

  test("a job fails in the end if the builder never has room", async () => {
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
      await eventually(async () => expect((await queue.usage()).running).toBe(0));
      if (tries < QUEUE.lossesMax) expect(await queue.admit(request)).toMatchObject({ state: "coalesced" });
      await retry();
    }
    expect(await queue.settled(request.key)).toMatchObject({ state: "failed" });
    expect(await queue.admit(request)).toMatchObject({ state: "unavailable" });
    expect(builder.widths()).toHaveLength(QUEUE.lossesMax);
  });

  test("a short outage of the builder costs a job one try, not three", async () => {
    const { queue, request, retry } = await start();
    builder.setReachable(false);
    await queue.admit(request);
    for (let round = 1; round <= 5; round++) {
      await eventually(async () => expect((await queue.usage()).running).toBe(0));
      await retry();
    }
    await eventually(async () => expect((await queue.usage()).running).toBe(0));
    // Beside the first call, and then of each room before it is called.
    expect(builder.pings()).toBe(1 + 5 * QUEUE.roomsPerSpace);
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
    await eventually(async () => expect((await queue.usage()).running).toBe(0));
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
    await eventually(async () => expect((await queue.usage()).running).toBe(0));
    expect(await queue.usage()).toMatchObject({ lightWaiting: 1, failuresRemembered: 0 });
    expect(await variantFiles(media)).toEqual([]);
    await retry();
    expect(await queue.settled(request.key)).toEqual({ state: "built" });
    expect(await variantFiles(media)).toEqual([request.file]);
    expect(await doomedKeys()).toEqual([]);
  });
});
