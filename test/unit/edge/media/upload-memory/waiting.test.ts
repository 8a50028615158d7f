/** The waits of uploads for memory: how long they are, how many there may be, and their ends. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UPLOAD } from "../../../../../src/limits.ts";
import { memoryOf, refusal } from "../../../../support/upload-memory.ts";

describe("the memory of uploads", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is waited for while others end, by a bounded number of uploads", async () => {
    const memory = memoryOf(10);
    const first = memory.begin("one", 10);
    const waiting = memory.reserve("two", 10);
    await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs - UPLOAD.placePollMs);
    first.end();
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    const second = await waiting;
    const refused = Array.from({ length: UPLOAD.placeWaitersMax }, () => memory.reserve("three", 10));
    const faults = Promise.allSettled(refused);
    await expect(memory.reserve("three", 10)).rejects.toThrow("Too many uploads");
    let isRefused = false;
    const ofAnother = memory.reserve("four", 10).catch(() => (isRefused = true));
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    expect(isRefused).toBe(false);
    await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs);
    expect((await faults).map(({ status }) => status)).toEqual(refused.map(() => "rejected"));
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    expect(await ofAnother).toBe(true);
    second.end();
    await memory.reserve("five", 10);
  });

  it("is not kept for an upload that asks no more, though it had waited for long", async () => {
    const memory = memoryOf(30, 30, Date.now);
    const first = memory.begin("one", 20);
    void memory.reserve("dead", 20);
    await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs / 2);
    // The platform ends its request, and runs its timer no more.
    const now = Date.now();
    vi.clearAllTimers();
    vi.setSystemTime(now);
    first.end();
    let isSmall = false;
    const small = memory.reserve("small", 20).then(() => (isSmall = true));
    await vi.advanceTimersByTimeAsync(UPLOAD.waiterSilentMaxMs - UPLOAD.placePollMs);
    expect(isSmall).toBe(false);
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    await small;
    expect(UPLOAD.waiterSilentMaxMs).toBeLessThanOrEqual(2000);
  });

  it("is free after an upload waited in vain for more, and its end changes nothing then", async () => {
    const memory = memoryOf(20, 20, Date.now);
    const growing = memory.begin("one", 5);
    memory.begin("two", 15);
    const refused = expect(growing.grow(10)).rejects.toThrow("Too many uploads");
    memory.begin("three", 5).end();
    await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs);
    await refused;
    const last = memory.begin("three", 5);
    growing.end();
    growing.end();
    refusal(() => memory.begin("four", 1));
    last.end();
    memory.begin("four", 5);
  });

  it("no longer counts an upload that waits and asks no more", async () => {
    let now = 0;
    const memory = memoryOf(20, 20, () => now);
    memory.begin("space", 10);
    const dead = Promise.allSettled([memory.reserve("dead", 20)]);
    now = UPLOAD.waiterSilentMaxMs - 1;
    const second = Promise.allSettled([memory.reserve("space", 10)]);
    now = UPLOAD.waiterSilentMaxMs;
    await memory.reserve("space", 5);
    await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs + UPLOAD.placePollMs);
    await dead;
    expect((await second)[0]).toMatchObject({
      reason: { message: expect.stringContaining("This space") as unknown },
    });
  });

  it("grows once others have ended, and is not kept while an upload waits for more", async () => {
    const memory = memoryOf(20);
    const growing = ["one", "two"].map((space) => memory.begin(space, 5));
    const third = memory.begin("three", 10);
    await growing[0]!.grow(4);
    const grown = growing.map((upload) => upload.grow(20));
    memory.begin("four", 10).end();
    third.end();
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    await Promise.race(grown);
    refusal(() => memory.begin("four", 1));
    growing[0]!.end();
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    await Promise.all(grown);
    refusal(() => memory.begin("four", 1));
    growing[1]!.end();
    memory.begin("four", 20);
  });
});
