/** The uploads that the memory admits at once. Those that wait are in waiting.test.ts and turns.test.ts. */
import { describe, expect, it } from "vitest";
import { UPLOAD } from "../../../../../src/limits.ts";
import { memoryOf, refusal } from "../../../../support/upload-memory.ts";

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

  it("admits others in what an upload gives back, which gives back no more than it had", () => {
    const memory = memoryOf(30);
    const first = memory.begin("one", 20);
    refusal(() => memory.begin("two", 11));
    first.shrink(19);
    memory.begin("two", 11);
    first.shrink(25);
    refusal(() => memory.begin("three", 1));
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

  it("of one isolate leaves room for two uploads of others, whatever one space does", () => {
    const { memoryMaxBytes, memoryPerSpaceMaxBytes, memoryBytes } = UPLOAD;
    expect(memoryMaxBytes - memoryPerSpaceMaxBytes).toBeGreaterThanOrEqual(2 * memoryBytes);
  });
});
