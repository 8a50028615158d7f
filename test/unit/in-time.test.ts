import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inTime, LateError } from "../../src/in-time.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);

describe("work with a time limit", () => {
  it("gives its result, or its error", async () => {
    expect(await inTime(Promise.resolve(1), 10)).toBe(1);
    await expect(inTime(Promise.reject(new Error("broken")), 10)).rejects.toThrow("broken");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is late at its limit, and not before", async () => {
    let state = "waits";
    inTime(never, 100).catch((error: unknown) => (state = (error as Error).name));
    await vi.advanceTimersByTimeAsync(99);
    expect(state).toBe("waits");
    await vi.advanceTimersByTimeAsync(1);
    expect(state).toBe("LateError");
  });

  it("is given up when the signal aborts, also one that has aborted before", async () => {
    const ended = new AbortController();
    const waiting = inTime(never, 100, ended.signal);
    ended.abort(new Error("not wanted"));
    await expect(waiting).rejects.toThrow("not wanted");
    await expect(inTime(never, 100, ended.signal)).rejects.toThrow("not wanted");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("may fail late without a trace", async () => {
    let fail!: (error: Error) => void;
    const work = new Promise<number>((_, reject) => (fail = reject));
    const waiting = inTime(work, 0);
    const caught = expect(waiting).rejects.toBeInstanceOf(LateError);
    await vi.advanceTimersByTimeAsync(0);
    await caught;
    fail(new Error("too late"));
  });
});
