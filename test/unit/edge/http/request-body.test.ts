/** Bodies that trickle (RULES 1.6). */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  chunksOf,
  contentLengthOf,
  passOver,
  passOverRest,
} from "../../../../src/edge/http/requests/request-body.ts";
import { filePart } from "../../../../src/edge/media/multipart.ts";
import type { ApiError } from "../../../../src/errors.ts";
import { BODY_PACE } from "../../../../src/limits.ts";

const { graceSeconds, longestSeconds, lowestBytesPerSecond } = BODY_PACE;
const SECOND_MS = 1000;
const FORM_HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.gif"\r\n\r\nfile';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns a body whose sender is this test. */
function sender() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  return {
    body,
    send: (bytes: number) => controller.enqueue(new Uint8Array(bytes)),
    sendText: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
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

  it.each([
    ["a file", "file", "file"],
    ["a form", FORM_HEAD, "\r\n--x--\r\n"],
  ])("of %s is read to its end, though nothing of the file was", async (kind, head, tail) => {
    const { body, send, sendText, end } = sender();
    let isOver = false;
    const chunks = chunksOf(body);
    const file = kind === "a form" ? filePart(chunks, "multipart/form-data; boundary=x") : { body: chunks };
    void Promise.resolve(file)
      .then((part) => passOverRest(part.body))
      .then(() => (isOver = true));
    sendText(head);
    await pass(1);
    for (let n = 0; n < 20; n++) send(1000);
    await pass(1);
    expect(isOver).toBe(false);
    sendText(tail);
    end();
    await pass(0);
    expect(isOver).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("of which all was read is left alone", async () => {
    const { body, end } = sender();
    end();
    const chunks = chunksOf(body);
    expect((await chunks.next()).done).toBe(true);
    await passOverRest(chunks);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the length of a body", () => {
  it.each([
    ["", null],
    ["0", 0],
    ["5", 5],
    ["5, 5", null],
    ["1e3", null],
    ["-1", null],
    ["9".repeat(400), Infinity],
  ])("of Content-Length %s is %s", (value, expected) => {
    const headers = { "Content-Length": value };
    expect(contentLengthOf(new Request("https://host/", { headers }))).toBe(expected);
  });

  it("of none is null", () => {
    expect(contentLengthOf(new Request("https://host/"))).toBeNull();
  });
});
