/** The order in which waiting uploads get memory. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../../../src/errors.ts";
import { SVG, UPLOAD } from "../../../../../src/limits.ts";
import { UploadMemory } from "../../../../../src/edge/media/upload-memory.ts";
import { memoryOf, refusal } from "../../../../support/upload-memory.ts";

describe("the memory of uploads", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("goes first to a space that has none, whoever has waited longer", async () => {
    const memory = memoryOf(20);
    const [first] = [memory.begin("busy", 10), memory.begin("busy", 10)];
    const order: string[] = [];
    const waiting = ["busy", "busy", "other"].map(async (space) => {
      await memory.reserve(space, 10);
      order.push(space);
    });
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    first.end();
    await vi.advanceTimersByTimeAsync(2 * UPLOAD.placePollMs);
    expect(order).toEqual(["other"]);
    const refused = Promise.allSettled(waiting);
    await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs);
    expect((await refused).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  });

  it("goes first to spaces that hold little, so that an editor sends several small files at once", async () => {
    const shares = { totalBytes: 30, perSpaceBytes: 20, firstBytes: 10 };
    const memory = new UploadMemory(shares, Date.now);
    memory.begin("editor", 4);
    memory.begin("greedy", 10);
    // For this one there is no room.
    const large = memory.reserve("other", 20);
    const refused = large.catch((error: unknown) => error);
    const greedy = Promise.allSettled([memory.reserve("greedy", 1)]);
    await memory.reserve("editor", 6);
    await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs + UPLOAD.placePollMs);
    expect(await refused).toBeInstanceOf(ApiError);
    expect((await greedy)[0].status).toBe("fulfilled");
  });

  it("is kept for an upload that has waited for a second, while small ones end", async () => {
    const memory = memoryOf(30, 30, Date.now);
    const [first, second] = [memory.begin("one", 15), memory.begin("two", 10)];
    let isLarge = false;
    const large = memory.reserve("large", 20).then(() => (isLarge = true));
    await vi.advanceTimersByTimeAsync(UPLOAD.placeSoonMs - UPLOAD.placePollMs);
    (await memory.reserve("small", 5)).end();
    await vi.advanceTimersByTimeAsync(3 * UPLOAD.placePollMs);
    let isSmall = false;
    const small = memory.reserve("small", 5).then(() => (isSmall = true));
    first.end();
    await vi.advanceTimersByTimeAsync(2 * UPLOAD.placePollMs);
    expect([isLarge, isSmall]).toEqual([true, false]);
    second.end();
    await vi.advanceTimersByTimeAsync(2 * UPLOAD.placePollMs);
    await Promise.all([large, small]);
  });

  it("goes to a small upload while one of a second cannot have it, and to that one as soon as it fits", async () => {
    // Three imports, of which two run.
    const memory = memoryOf(60, 36, Date.now);
    const [first] = [memory.begin("one", 24), memory.begin("two", 24)];
    let isThird = false;
    const third = memory.reserve("three", 24).then(() => (isThird = true));
    await vi.advanceTimersByTimeAsync(3 * UPLOAD.placeSoonMs);
    for (let n = 0; n < 12; n++) await memory.reserve(`editor ${n}`, 1);
    refusal(() => memory.begin("one more", 1));
    first.end();
    let isSmall = false;
    const small = memory.reserve("one more", 1).then(() => (isSmall = true));
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    expect([isThird, isSmall]).toEqual([true, false]);
    const refused = expect(small).rejects.toThrow(ApiError);
    await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs);
    await Promise.all([third, refused]);
  });

  it("of checks goes to small drawings while two large ones take turns", async () => {
    const { checkedMaxBytes, placeSoonMs } = UPLOAD;
    const shares = {
      totalBytes: checkedMaxBytes,
      perSpaceBytes: SVG.maxBytes,
      firstBytes: checkedMaxBytes - SVG.maxBytes,
    };
    const memory = new UploadMemory(shares, Date.now);
    const running = memory.begin("one", SVG.maxBytes);
    const waiting = memory.reserve("two", SVG.maxBytes);
    await vi.advanceTimersByTimeAsync(1.3 * placeSoonMs);
    const icons = await Promise.all(["three", "four"].map((space) => memory.reserve(space, 1000)));
    expect(() => memory.begin("five", checkedMaxBytes - SVG.maxBytes - 1999)).toThrow(ApiError);
    running.end();
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    await waiting;
    for (const icon of icons) icon.end();
  });

  it("is passed by slow uploads only as far as they fit beside one that waits", async () => {
    const memory = memoryOf(30, 30, Date.now);
    const before = Array.from({ length: 14 }, (_, n) => memory.begin(`before ${n}`, 2));
    let isLarge = false;
    const large = memory.reserve("large", 24).then(() => (isLarge = true));
    await vi.advanceTimersByTimeAsync(UPLOAD.placeSoonMs + UPLOAD.placePollMs);
    const passing: string[] = [];
    for (const [n, one] of before.entries()) {
      const small = memory.reserve(`small ${n}`, 2);
      void small.then(
        () => passing.push(`small ${n}`),
        () => undefined,
      );
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      one.end();
    }
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    expect([isLarge, passing]).toEqual([true, ["small 0", "small 1", "small 2"]]);
    await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs + UPLOAD.placePollMs);
    await large;
  });

  it.each([
    ["that has none", 0],
    ["that holds little", 1],
  ])("is kept for an upload of a space %s, while small ones come and go", async (_, held) => {
    const shares = { totalBytes: 60, perSpaceBytes: 36, firstBytes: 13 };
    const memory = new UploadMemory(shares, Date.now);
    memory.begin("one", 24);
    memory.begin("two", 24 - held);
    if (held > 0) memory.begin("editor", held);
    const begun = Date.now();
    let isOver = false;
    const small = async (n: number): Promise<void> => {
      for (let turn = 0; !isOver; turn++) {
        const one = await memory.reserve(`small ${n} ${turn}`, 3);
        await new Promise((resolve) => setTimeout(resolve, 10 * UPLOAD.placePollMs));
        one.end();
      }
    };
    const smalls = [0, 1, 2, 3].map(async (n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 2 * UPLOAD.placePollMs));
      await small(n);
    });
    await vi.advanceTimersByTimeAsync(UPLOAD.placeSoonMs);
    let waitedMs = 0;
    const large = memory.reserve("editor", 12).then((reservation) => {
      waitedMs = Date.now() - begun - UPLOAD.placeSoonMs;
      isOver = true;
      reservation.end();
    });
    await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs + UPLOAD.placePollMs);
    await Promise.all([large, ...smalls]);
    expect(waitedMs).toBeGreaterThan(UPLOAD.placeSoonMs);
    expect(waitedMs).toBeLessThan(2 * UPLOAD.placeSoonMs);
  });

  it("is kept for an upload that has waited for longer than a second, not for a second", async () => {
    const memory = memoryOf(30, 30, Date.now);
    const [first, second] = [memory.begin("one", 15), memory.begin("two", 5)];
    let isLarge = false;
    const large = memory.reserve("large", 20).then(() => (isLarge = true));
    await vi.advanceTimersByTimeAsync(UPLOAD.placeSoonMs);
    (await memory.reserve("small", 6)).end();
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    let isSmall = false;
    const small = memory.reserve("small", 6).then(() => (isSmall = true));
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    expect(isSmall).toBe(false);
    first.end();
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    expect([isLarge, isSmall]).toEqual([true, false]);
    second.end();
    await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
    await Promise.all([large, small]);
  });
});
