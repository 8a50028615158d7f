/** Uploads in parts that are refused, at once or at their end. */
import { describe, expect, test, vi } from "vitest";
import { slowestSeconds } from "../../../src/edge/http/requests/body-pace.ts";
import { PARTED_UPLOAD, UPLOAD } from "../../../src/limits.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { gifOf, keysIn, partOf, Uploader } from "../support/uploads.ts";

cleanBetweenTests();

const { partBytes } = PARTED_UPLOAD;

const TWO_PARTS = gifOf(partBytes + 3, 7);

describe("a file that a direct upload would refuse", () => {
  test.each([
    ["text", new TextEncoder().encode("not a picture at all"), 415, "UNSUPPORTED_MEDIA"],
    ["half a picture", gifOf(60).slice(0, 30), 400, "INVALID_IMAGE"],
    [
      "not a drawing",
      new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'><"),
      400,
      "SVG_REJECTED",
    ],
  ])("(%s) is refused the same, and its upload is gone", async (_, file, status, code) => {
    const client = await Uploader.make();
    const { id } = await client.sent(file as Uint8Array<ArrayBuffer>);
    const reply = await client.complete(id);
    expect([reply.status, reply.error.code]).toEqual([status, code]);
    expect((await client.read(id)).status).toBe(404);
    expect((await client.complete(id)).status).toBe(404);
    await eventually(async () => expect(await keysIn("")).toEqual([]));
    expect((await client.call<unknown[]>("GET", "/media")).data).toEqual([]);
  });
});

describe("is refused at once:", () => {
  test("a file of one byte over 100 MB, but not one of exactly 100 MB", async () => {
    const client = await Uploader.make();
    expect((await client.begin(UPLOAD.maxBytes)).data.parts).toBe(20);
    const over = await client.begin(UPLOAD.maxBytes + 1);
    expect([over.status, over.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  test.each([
    [{ sizeBytes: 0 }],
    [{ sizeBytes: 1.5 }],
    [{ sizeBytes: "5" }],
    [{ filename: "../" }],
    [{ filename: "a\0b" }],
    [{ alt: "x".repeat(2001) }],
    [{ focalPoint: { x: 1.01, y: 0 } }],
    [{ focalPoint: { x: 0.5 } }],
    [{ other: 1 }],
  ])("%j", async (more) => {
    const { status, error } = await (await Uploader.make()).begin(10, more);
    expect([status, error.code]).toEqual([400, "VALIDATION_FAILED"]);
  });

  test("parts of a wrong length, with or without a Content-Length, and nothing is stored", async () => {
    const client = await Uploader.make();
    const { id } = (await client.begin(TWO_PARTS.length)).data;
    const sizes: [number, number, number][] = [
      [1, partBytes - 1, 400],
      [1, partBytes + 1, 413],
      [2, 2, 400],
      [2, 4, 400],
      [2, 0, 400],
    ];
    for (const [n, bytes, status] of sizes) {
      const whole = new Uint8Array(bytes);
      expect((await client.put(id, n, whole)).status, `${n}: ${bytes}`).toBe(status);
      const chunked = new ReadableStream({
        start(controller) {
          if (bytes > 0) controller.enqueue(whole);
          controller.close();
        },
      });
      expect((await client.put(id, n, chunked)).status, `${n}: ${bytes} chunked`).toBe(400);
    }
    expect((await client.read(id)).data.received).toEqual([]);
    const chunked = new Blob([partOf(TWO_PARTS, 1)]).stream();
    expect((await client.put(id, 1, chunked)).status).toBe(200);
    expect((await client.read(id)).data.received).toEqual([1]);
  });

  test("a part that trickles, and nothing is stored", async () => {
    const client = await Uploader.make();
    const { id } = (await client.begin(TWO_PARTS.length)).data;
    const first = partOf(TWO_PARTS, 1);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const trickling = new ReadableStream<Uint8Array>({ start: (body) => body.enqueue(first.subarray(0, 9)) });
    const refused = client.put(id, 1, trickling);
    await eventually(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    vi.advanceTimersByTime(slowestSeconds(first.length) * 1000);
    const { status, error } = await refused;
    vi.useRealTimers();
    expect([status, error.code]).toEqual([408, "REQUEST_TOO_SLOW"]);
    expect((await client.read(id)).data.received).toEqual([]);
    expect((await client.put(id, 1, first)).status).toBe(200);
  });

  test("numbers of parts that do not exist", async () => {
    const client = await Uploader.make();
    const { id } = (await client.begin(TWO_PARTS.length)).data;
    for (const n of [0, 3, 4000, 99999, "01", "1.5", "-1", "x"]) {
      expect((await client.put(id, n, Uint8Array.of(1))).status, String(n)).toBe(404);
    }
  });

  test("uploads of another space, malformed ids, and keys of a lower role", async () => {
    const client = await Uploader.make();
    const { id } = await client.sent(gifOf(50));
    const stranger = await Uploader.make();
    for (const other of [id, "x", "01ARZ3NDEKTSV4RRFFQ69G5FAV"]) {
      expect((await stranger.read(other)).status).toBe(404);
      expect((await stranger.put(other, 1, gifOf(50))).status).toBe(404);
      expect((await stranger.complete(other)).status).toBe(404);
      expect((await stranger.call("DELETE", `/media/uploads/${other}`)).status).toBe(404);
    }
    const key = await client.key("read");
    expect((await client.call("GET", `/media/uploads/${id}`, undefined, { key })).status).toBe(200);
    expect((await client.call("POST", `/media/uploads/${id}/complete`, undefined, { key })).status).toBe(403);
    expect((await client.call("DELETE", `/media/uploads/${id}`, undefined, { key })).status).toBe(403);
    expect((await client.complete(id)).status).toBe(201);
  });
});
