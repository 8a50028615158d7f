/** Which files the console sends in one request, and which in parts. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runJob } from "../../../src/console/uploads/run-job.ts";
import type { Renewed } from "../../../src/console/session/session.ts";
import { PARTED_UPLOAD } from "../../../src/limits.ts";

const { partBytes, wholeMaxBytes } = PARTED_UPLOAD;

/** Requests, each with the length of its body. */
let sent: [string, number][] = [];
/** The keys that the service knows no more. */
let ended: string[] = [];

/** Stores what is sent, as the service does. */
class FakeXhr {
  status = 200;
  responseText = JSON.stringify({ data: { id: "whole" } });
  readonly upload = {};
  onload?: () => void;
  #request = "";
  #key = "";

  open(method: string, path: string): void {
    this.#request = `${method} ${path}`;
  }
  setRequestHeader(name: string, value: string): void {
    if (name === "Authorization") this.#key = value.replace("Bearer ", "");
  }
  abort(): void {
    // Nothing is under way: each request is answered at once.
  }
  send(body: Blob): void {
    if (ended.includes(this.#key)) this.status = 401;
    else sent.push([this.#request, body.size]);
    queueMicrotask(() => this.onload?.());
  }
}

beforeEach(() => {
  sent = [];
  ended = [];
  vi.stubGlobal("XMLHttpRequest", FakeXhr);
  vi.stubGlobal("fetch", (_: string, init: { body?: string; headers: { Authorization: string } }) => {
    if (ended.includes(init.headers.Authorization.replace("Bearer ", "")))
      return Promise.resolve(Response.json({}, { status: 401 }));
    if (!init.body) return Promise.resolve(Response.json({ data: { id: "in parts" } }));
    const { sizeBytes } = JSON.parse(init.body) as { sizeBytes: number };
    const upload = { id: "u", partBytes, parts: Math.ceil(sizeBytes / partBytes), received: [] };
    return Promise.resolve(Response.json({ data: upload }));
  });
});
afterEach(() => void vi.unstubAllGlobals());

const never: Renewed = () => Promise.reject(new Error("No session has ended"));

const upload = (bytes: number, renewed = never, signal = new AbortController().signal) =>
  runJob({
    ...{ session: { space: "demo", key: "k", renewed }, file: new Blob([new Uint8Array(bytes)]) },
    ...{ filename: "a.jpg", mediaId: null, uploadId: null, signal },
    onProgress: () => undefined,
    onBegun: () => undefined,
  });

describe("a file", () => {
  it("of the largest size for one request is sent in one", async () => {
    expect(await upload(wholeMaxBytes)).toMatchObject({ id: "whole" });
    expect(sent).toEqual([["POST /api/v1/demo/media", wholeMaxBytes]]);
  });

  it("of one byte more is sent in parts", async () => {
    expect(await upload(wholeMaxBytes + 1)).toMatchObject({ id: "in parts" });
    expect(sent).toEqual([
      ["PUT /api/v1/demo/media/uploads/u/parts/1", partBytes],
      ["PUT /api/v1/demo/media/uploads/u/parts/2", 1],
    ]);
  });

  it("never needs a request near the limit of the platform's plans", () => {
    expect(Math.max(wholeMaxBytes, partBytes)).toBeLessThan(50_000_000);
  });
});

describe("an upload whose session has ended", () => {
  it("waits for the next sign-in, and goes on with its key", async () => {
    ended = ["k"];
    const asked: [string, string | null][] = [];
    const renewed: Renewed = (...call) => {
      asked.push(call);
      return Promise.resolve("next");
    };
    expect(await upload(1, renewed)).toMatchObject({ id: "whole" });
    expect(asked).toEqual([["k", null]]);
    expect(await upload(wholeMaxBytes + 1, renewed)).toMatchObject({ id: "in parts" });
    expect(sent.map(([, bytes]) => bytes)).toEqual([1, partBytes, 1]);
  });

  it("is refused when the next session is another person's", async () => {
    ended = ["k"];
    await expect(upload(1, () => Promise.resolve(null))).rejects.toMatchObject({ status: 401 });
  });

  it("can be cancelled while it waits", async () => {
    ended = ["k"];
    const running = new AbortController();
    const waits = new Promise<null>(() => undefined);
    const done = upload(
      1,
      () => {
        queueMicrotask(() => running.abort(new Error("Cancelled")));
        return waits;
      },
      running.signal,
    );
    await expect(done).rejects.toThrow("Cancelled");
  });
});
