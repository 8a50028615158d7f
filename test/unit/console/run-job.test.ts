/** Which files the console sends in one request, and which in parts. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runJob } from "../../../src/console/uploads/run-job.ts";
import { PARTED_UPLOAD } from "../../../src/limits.ts";

const { partBytes, wholeMaxBytes } = PARTED_UPLOAD;

/** Requests, each with the length of its body. */
let sent: [string, number][] = [];

/** Stores what is sent, as the service does. */
class FakeXhr {
  status = 200;
  responseText = JSON.stringify({ data: { id: "whole" } });
  readonly upload = {};
  onload?: () => void;
  #request = "";

  open(method: string, path: string): void {
    this.#request = `${method} ${path}`;
  }
  setRequestHeader(): void {
    // Headers are of no interest here.
  }
  send(body: Blob): void {
    sent.push([this.#request, body.size]);
    queueMicrotask(() => this.onload?.());
  }
}

beforeEach(() => {
  sent = [];
  vi.stubGlobal("XMLHttpRequest", FakeXhr);
  vi.stubGlobal("fetch", (_: string, init: { body?: string }) => {
    if (!init.body) return Promise.resolve(Response.json({ data: { id: "in parts" } }));
    const { sizeBytes } = JSON.parse(init.body) as { sizeBytes: number };
    const upload = { id: "u", partBytes, parts: Math.ceil(sizeBytes / partBytes), received: [] };
    return Promise.resolve(Response.json({ data: upload }));
  });
});
afterEach(() => void vi.unstubAllGlobals());

const upload = (bytes: number) =>
  runJob({
    ...{ session: { space: "demo", key: "k" }, file: new Blob([new Uint8Array(bytes)]), filename: "a.jpg" },
    ...{ mediaId: null, uploadId: null, signal: new AbortController().signal },
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
