/** Power cuts: every process is killed at once in the middle of builds and uploads, then started again. */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/start/ports.ts";
import {
  bearer,
  json,
  newSpace,
  picture,
  upload,
  variantOf,
  type MediaObject,
  type Space,
} from "../../scripts/harness/api.ts";
import { photoJpeg } from "../support/pictures/draw.ts";
import { answerWith, WebhookReceiver } from "../support/webhook-receiver.ts";
import { newDataDir, removeDataDir, startService, type Service } from "../../scripts/harness/service.ts";

let service: Service;
let space: Space;
const dataDir = newDataDir();
const port = await freePort();

beforeAll(async () => {
  service = await startService({ dataDir, port });
  space = await newSpace(service);
});
afterAll(async () => {
  await service.stop();
  removeDataDir(dataDir);
});

const restart = async (): Promise<void> => {
  service = await startService({ dataDir, port });
};
const usage = async (): Promise<{ media: { active: number }; variants: { ready: number } }> =>
  json(await fetch(`${space.api}/usage`, { headers: bearer(space.key) }));
const listed = async (): Promise<MediaObject[]> =>
  json(await fetch(`${space.api}/media?limit=100`, { headers: bearer(space.key) }));

/** Waits for what the queue does by itself: no image request is sent meanwhile. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 250));
}

/** An upload in parts of a photo. Bytes after the end of a JPEG belong to the file all the same. */
class PartedUpload {
  readonly filename = "big.jpg";
  readonly photo: Buffer;
  #url = "";
  #partBytes = 0;

  constructor(photo: Buffer) {
    this.photo = Buffer.concat([photo, Buffer.alloc(11_000_000, "tail")]);
  }

  /** @returns how many parts it has */
  async begin(): Promise<number> {
    const uploads = `${space.api}/media/uploads`;
    const body = JSON.stringify({ filename: this.filename, sizeBytes: this.photo.length });
    const headers = { ...bearer(space.key), "Content-Type": "application/json" };
    const { id, parts, partBytes } = await json<{ id: string; parts: number; partBytes: number }>(
      await fetch(uploads, { method: "POST", headers, body }),
    );
    this.#url = `${uploads}/${id}`;
    this.#partBytes = partBytes;
    return parts;
  }

  async put(n: number): Promise<void> {
    const body = new Uint8Array(this.#part(n));
    await json(await fetch(`${this.#url}/parts/${n}`, { method: "PUT", headers: bearer(space.key), body }));
  }

  /** Sends the beginning of a part, and leaves its request open. */
  putBeginning(n: number): Promise<void> {
    const part = this.#part(n);
    return sendBeginning("PUT", `${this.#url}/parts/${n}`, part.length, part.subarray(0, 100_000));
  }

  async received(): Promise<number[]> {
    const { received } = await json<{ received: number[] }>(
      await fetch(this.#url, { headers: bearer(space.key) }),
    );
    return received;
  }

  complete(): Promise<Response> {
    return fetch(`${this.#url}/complete`, { method: "POST", headers: bearer(space.key) });
  }

  #part(n: number): Buffer {
    return this.photo.subarray((n - 1) * this.#partBytes, n * this.#partBytes);
  }
}

/** Begins a request whose body never ends. */
function sendBeginning(method: string, url: string, length: number, beginning: Buffer): Promise<void> {
  const half = request(new URL(url), {
    method,
    headers: { ...bearer(space.key), "Content-Length": String(length) },
  });
  half.on("error", () => undefined);
  return new Promise((resolve) => half.write(beginning, () => resolve()));
}

const bytesOf = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());

describe("kill -9 and restart", () => {
  let parted: PartedUpload;
  beforeAll(async () => {
    parted = new PartedUpload(await photoJpeg(1600, 1200));
  });

  it("keeps every acknowledged upload and part, and no incomplete one", async () => {
    const photo = await photoJpeg(1600, 1200);
    const kept = await upload(space, photo);
    const big = Buffer.concat([photo, Buffer.alloc(11_000_000, "tail")]);
    await sendBeginning("POST", `${space.api}/media`, big.length, big.subarray(0, big.length >> 1));
    expect(await parted.begin()).toBe(3);
    await parted.put(1);
    await parted.putBeginning(2);
    await service.kill();
    await restart();
    expect((await listed()).map(({ id }) => id)).toEqual([kept.id]);
    expect((await bytesOf(kept.url)).equals(photo)).toBe(true);
    expect(await parted.received()).toEqual([1]);
  });

  it("makes one item of an upload in parts, and builds what was queued, each variant once", async () => {
    const { id } = await upload(space, await photoJpeg(2000, 1500, { quality: 95 }));
    for (const n of [2, 3]) await parted.put(n);
    const queries = ["w=1600&fm=avif&q=100", "w=1600&fm=avif&q=95", "w=1600&fm=webp&q=100"];
    for (const query of queries)
      expect((await picture(space, id, query)).state, query).toMatch(/queued|built/);
    parted.complete().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 30));
    await service.kill();
    await restart();
    // The queue must build them without another request.
    await until(async () => (await usage()).variants.ready >= queries.length);
    for (const query of queries) expect((await picture(space, id, query)).state, query).toBe("hit");
    const builds = service.output().match(/"event":"build".*?"state":"built"/g) ?? [];
    expect(builds.length).toBeLessThanOrEqual(queries.length);

    const media = await json<MediaObject>(await parted.complete());
    expect((await json<MediaObject>(await parted.complete())).id).toBe(media.id);
    expect((await listed()).filter(({ filename }) => filename === parted.filename)).toHaveLength(1);
    expect((await bytesOf(media.url)).equals(parted.photo)).toBe(true);
  });

  it("between a change and its delivery delivers it after the start, and nothing that did not happen", async () => {
    const post = async <T>(path: string, body: object): Promise<T> =>
      json(
        await fetch(`${space.api}${path}`, {
          method: "POST",
          headers: { ...bearer(space.key), "Content-Type": "application/json" },
          body: JSON.stringify(body),
        }),
      );
    const receiver = await new WebhookReceiver(answerWith(204)).start();
    const fields = [{ name: "title", type: "string" }];
    await post("/models", { typeModel: "collections", name: "posts", fields });
    const { secret } = await post<{ secret: string }>("/webhooks", { url: receiver.url, events: ["*"] });
    receiver.secret = secret;
    await receiver.stop();
    const acknowledged: string[] = [];
    const writing = (async () => {
      for (;;) acknowledged.push((await post<{ id: string }>("/data/collections/posts", { title: "a" })).id);
    })().catch(() => undefined);
    await until(() => Promise.resolve(acknowledged.length >= 5));
    await service.kill();
    await writing;
    await receiver.start();
    await restart();
    // Nothing is asked of the service but the sweep, which comes each minute by itself.
    await until(async () => {
      await fetch(`${service.base}/cdn-cgi/local/scheduled`);
      const ids = receiver.received.map(({ data }) => data["id"]);
      return acknowledged.every((id) => ids.includes(id));
    });
    const stored = await json<{ id: string }[]>(
      await fetch(`${space.api}/data/collections/posts?limit=100`, { headers: bearer(space.key) }),
    );
    const known = new Set(stored.map(({ id }) => id));
    expect(receiver.received.filter(({ data }) => !known.has(String(data["id"])))).toEqual([]);
    expect(receiver.faults).toEqual([]);
    await receiver.stop();
  });

  it("of only the builder's process needs no restart: a running build is repeated", async () => {
    const { id } = await upload(space, await photoJpeg(2000, 1501, { quality: 95 }));
    const query = "w=1600&fm=avif&q=100";
    expect((await picture(space, id, query)).state).toMatch(/queued|built/);
    process.kill(await service.builderPid(), "SIGKILL");
    expect((await picture(space, id, query)).state).toMatch(/coalesced|queued/);
    expect((await variantOf(space, id, query)).width).toBe(1600);
    const { id: next } = await upload(space, await photoJpeg(800, 601));
    expect((await variantOf(space, next, "w=500&fm=webp")).width).toBe(500);
  });
});
