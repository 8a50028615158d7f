import { describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../../src/errors.ts";
import { UPLOAD } from "../../../../src/limits.ts";
import { UploadMemory } from "../../../../src/edge/media/upload-memory.ts";

const refusal = (act: () => void): ApiError => {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error("nothing was refused");
};

const memoryOf = (totalBytes: number, perSpaceBytes = totalBytes, now = () => 0): UploadMemory =>
  new UploadMemory({ totalBytes, perSpaceBytes }, now);

describe("the memory of uploads", () => {
  it("admits as many as fit, and refuses the next one with a Retry-After", () => {
    const memory = memoryOf(30);
    const first = memory.begin("one", 10);
    memory.begin("two", 20);
    const error = refusal(() => memory.begin("three", 1));
    expect([error.status, error.headers["Retry-After"]]).toEqual([503, String(UPLOAD.retryAfterSeconds)]);
    first.end();
    memory.begin("three", 10);
    refusal(() => memory.begin("one", 1));
  });

  it("gives a space no more than its share, and others the rest", () => {
    const memory = memoryOf(30, 20);
    const first = memory.begin("greedy", 10);
    memory.begin("greedy", 10);
    const error = refusal(() => memory.begin("greedy", 1));
    expect(error.message).toContain("This space");
    memory.begin("other", 10);
    refusal(() => memory.begin("third", 1));
    first.end();
    memory.begin("greedy", 10);
  });

  it("no longer counts a silent upload, whose request may have ended unnoticed", () => {
    let now = 0;
    const memory = memoryOf(20, 20, () => now);
    const lively = memory.begin("space", 10);
    memory.begin("space", 10);
    now = UPLOAD.silentMaxMs - 1;
    lively.sign();
    refusal(() => memory.begin("space", 10));
    now = UPLOAD.silentMaxMs;
    memory.begin("space", 10);
    refusal(() => memory.begin("space", 10));
  });

  it("counts an upload again that was silent and continues", () => {
    let now = 0;
    const memory = memoryOf(20, 20, () => now);
    const slow = memory.begin("space", 10);
    now = UPLOAD.silentMaxMs;
    memory.begin("space", 5).end();
    slow.sign();
    memory.begin("space", 10);
    refusal(() => memory.begin("space", 1));
  });

  it("is waited for while others end, by a bounded number of uploads", async () => {
    vi.useFakeTimers();
    try {
      const memory = memoryOf(10);
      const first = memory.begin("one", 10);
      const waiting = memory.reserve("two", 10);
      await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs - UPLOAD.placePollMs);
      first.end();
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      const second = await waiting;
      const refused = Array.from({ length: UPLOAD.placeWaitersMax }, () => memory.reserve("three", 10));
      const faults = Promise.allSettled(refused);
      await expect(memory.reserve("four", 10)).rejects.toThrow("Too many uploads");
      await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs);
      expect((await faults).map(({ status }) => status)).toEqual(refused.map(() => "rejected"));
      second.end();
      await memory.reserve("five", 10);
    } finally {
      vi.useRealTimers();
    }
  });

  it("goes first to a space that has none, whoever has waited longer", async () => {
    vi.useFakeTimers();
    try {
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
    } finally {
      vi.useRealTimers();
    }
  });

  it("of one isolate leaves room for two uploads of others, whatever one space does", () => {
    const { memoryMaxBytes, memoryPerSpaceMaxBytes, memoryBytes } = UPLOAD;
    expect(memoryMaxBytes - memoryPerSpaceMaxBytes).toBeGreaterThanOrEqual(2 * memoryBytes);
  });
});
