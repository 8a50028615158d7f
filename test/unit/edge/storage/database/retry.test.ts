import { describe, expect, it } from "vitest";
import { retryUntilWritten, waitBoundMs } from "../../../../../src/edge/storage/database/retry.ts";
import { RETRY } from "../../../../../src/limits.ts";

describe("a write that collides with others", () => {
  it("is tried until it is written, with random waits below a bound that doubles up to its limit", async () => {
    const waits: number[] = [];
    const tools = {
      wait: (ms: number) => Promise.resolve(void waits.push(ms)),
      random: () => 0.5,
    };
    let left = 9;
    expect(await retryUntilWritten(() => Promise.resolve(left-- > 0 ? null : "done"), tools)).toBe("done");
    expect(waits).toEqual(waits.map((_, attempt) => waitBoundMs(attempt) / 2));
    expect(waits).toHaveLength(9);
    expect(waitBoundMs(1)).toBe(2 * RETRY.waitMs);
    expect(waitBoundMs(1000)).toBe(RETRY.waitMaxMs);
  });

  it("is abandoned after its last try, but not retried after an error", async () => {
    const tools = { wait: () => Promise.resolve(), random: () => 0 };
    let tries = 0;
    const never = () => Promise.resolve((tries += 1) > RETRY.triesMax ? "late" : null);
    await expect(retryUntilWritten(never, tools)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(tries).toBe(RETRY.triesMax);
    await expect(retryUntilWritten(() => Promise.reject(new Error("broken")), tools)).rejects.toThrow(
      "broken",
    );
  });
});
