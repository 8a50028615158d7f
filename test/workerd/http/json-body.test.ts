/** JSON bodies that are refused for what their headers say. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AppContext } from "../../../src/edge/http/context.ts";
import { readJson } from "../../../src/edge/http/requests/json-body.ts";
import { UPLOAD } from "../../../src/limits.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns the part of a request's context that is read. */
function contextOf(body: ReadableStream<Uint8Array>): AppContext {
  const headers = new Headers({
    "Content-Type": "application/json",
    "Content-Length": String(UPLOAD.jsonMaxBytes + 1),
  });
  const req = { raw: { headers, body }, header: (name: string) => headers.get(name) ?? undefined };
  return { req } as unknown as AppContext;
}

/** Watches a reading, and tells how far it has come. */
function watched(body: ReadableStream<Uint8Array>): { state: string } {
  const seen = { state: "waits" };
  readJson(contextOf(body)).catch((error: unknown) => (seen.state = (error as { code: string }).code));
  return seen;
}

it("too large, it is refused once the rest has come", async () => {
  let chunks = 3;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => (chunks-- > 0 ? controller.enqueue(new Uint8Array(1000)) : controller.close()),
  });
  const seen = watched(body);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen.state).toBe("PAYLOAD_TOO_LARGE");
  expect(chunks).toBeLessThan(0);
});

it("too large, it is waited for no longer than is allowed", async () => {
  const seen = watched(new ReadableStream<Uint8Array>());
  await vi.advanceTimersByTimeAsync(UPLOAD.refusedJsonMaxMs - 1);
  expect(seen.state).toBe("waits");
  await vi.advanceTimersByTimeAsync(1);
  expect(seen.state).toBe("PAYLOAD_TOO_LARGE");
});
