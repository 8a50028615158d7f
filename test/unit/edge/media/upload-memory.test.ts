import { describe, expect, it } from "vitest";
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

describe("the memory of uploads", () => {
  it("admits as many as fit, and refuses the next one with a Retry-After", () => {
    const memory = new UploadMemory(30, () => 0);
    const first = memory.begin(10);
    memory.begin(20);
    const error = refusal(() => memory.begin(1));
    expect([error.status, error.headers["Retry-After"]]).toEqual([503, String(UPLOAD.retryAfterSeconds)]);
    first.end();
    memory.begin(10);
    refusal(() => memory.begin(1));
  });

  it("lets an upload grow into free memory, and no further", () => {
    const memory = new UploadMemory(30, () => 0);
    const drawing = memory.begin(10);
    memory.begin(10);
    drawing.growTo(20);
    refusal(() => drawing.growTo(21));
    refusal(() => memory.begin(1));
    drawing.end();
    memory.begin(20);
  });

  it("no longer counts a silent upload, whose request may have ended unnoticed", () => {
    let now = 0;
    const memory = new UploadMemory(20, () => now);
    const lively = memory.begin(10);
    memory.begin(10);
    now = UPLOAD.silentMaxMs - 1;
    lively.sign();
    refusal(() => memory.begin(10));
    now = UPLOAD.silentMaxMs;
    memory.begin(10);
    refusal(() => memory.begin(10));
  });

  it("counts an upload again that was silent and continues", () => {
    let now = 0;
    const memory = new UploadMemory(20, () => now);
    const slow = memory.begin(10);
    now = UPLOAD.silentMaxMs;
    memory.begin(5).end();
    slow.sign();
    memory.begin(10);
    refusal(() => memory.begin(1));
  });

  it("of one isolate holds at least one drawing beside pictures", () => {
    expect(UPLOAD.memoryMaxBytes).toBeGreaterThanOrEqual(UPLOAD.drawingMemoryBytes + UPLOAD.memoryBytes);
  });
});
