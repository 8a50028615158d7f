/** Bodies that trickle (RULES 1.6). */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chunksOf, passOver } from "../../../../src/edge/http/requests/request-body.ts";
import type { ApiError } from "../../../../src/errors.ts";
import { BODY_PACE } from "../../../../src/limits.ts";

const { graceSeconds, longestSeconds, lowestBytesPerSecond } = BODY_PACE;
const SECOND_MS = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A body whose sender is this test. */
function sender() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  return {
    body,
    send: (bytes: number) => controller.enqueue(new Uint8Array(bytes)),
    end: () => controller.close(),
  };
}

/** Reads a body to its end, and notes how that ends. */
function read(body: ReadableStream<Uint8Array>) {
  const seen = { bytes: 0, state: "reads", retryAfter: "" };
  void (async () => {
    for await (const chunk of chunksOf(body)) seen.bytes += chunk.length;
  })().then(
    () => (seen.state = "whole"),
    (error: unknown) => {
      const { code, headers } = error as ApiError;
      seen.state = code;
      seen.retryAfter = headers["Retry-After"] ?? "";
    },
  );
  return seen;
}

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * SECOND_MS);

describe("a body", () => {
  it("that does not begin is given up after the grace time, and not before", async () => {
    const seen = read(sender().body);
    await pass(graceSeconds - 1);
    expect(seen.state).toBe("reads");
    await pass(1);
    expect(seen).toMatchObject({
      state: "REQUEST_TOO_SLOW",
      retryAfter: String(BODY_PACE.retryAfterSeconds),
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ["a byte", 1],
    ["a little less than the lowest rate", 0.9 * lowestBytesPerSecond],
  ])("of %s in every second is given up", async (_, bytes) => {
    const { body, send } = sender();
    const seen = read(body);
    for (let second = 0; second < 12 * graceSeconds && seen.state === "reads"; second++) {
      send(Math.floor(bytes));
      await pass(1);
    }
    expect(seen.state).toBe("REQUEST_TOO_SLOW");
  });

  it("of chunks that come more often than seconds is given up too", async () => {
    const { body, send } = sender();
    const seen = read(body);
    for (let n = 0; n < 4 * graceSeconds && seen.state === "reads"; n++) {
      send(1);
      await pass(0.5);
    }
    expect(seen.state).toBe("REQUEST_TOO_SLOW");
  });

  it("of the lowest rate arrives, and so does one with a break in its line", async () => {
    const { body, send, end } = sender();
    const seen = read(body);
    for (let second = 0; second < 3 * graceSeconds; second++) {
      send(lowestBytesPerSecond);
      await pass(1);
    }
    send(graceSeconds * lowestBytesPerSecond);
    await pass(graceSeconds - 1);
    end();
    await pass(0);
    expect(seen).toMatchObject({ state: "whole", bytes: 4 * graceSeconds * lowestBytesPerSecond });
  });

  it("of a good rate is given up after the longest time", async () => {
    const { body, send } = sender();
    const seen = read(body);
    for (let second = 1; second < longestSeconds; second++) {
      send(lowestBytesPerSecond);
      await pass(1);
    }
    expect(seen.state).toBe("reads");
    send(lowestBytesPerSecond);
    await pass(1);
    expect(seen.state).toBe("REQUEST_TOO_SLOW");
  });

  it("is not charged for the time in which nobody reads it", async () => {
    const { body, send, end } = sender();
    const chunks = chunksOf(body);
    send(1);
    await chunks.next();
    await pass(2 * longestSeconds);
    send(1);
    end();
    expect((await chunks.next()).value).toHaveLength(1);
    expect((await chunks.next()).done).toBe(true);
  });
});

describe("a refused body", () => {
  it("that trickles is not waited for to its end", async () => {
    const { body, send } = sender();
    let isOver = false;
    void passOver(body).then(() => (isOver = true));
    for (let second = 0; second < graceSeconds; second++) {
      expect(isOver).toBe(false);
      send(1);
      await pass(1);
    }
    await pass(1);
    expect(isOver).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
