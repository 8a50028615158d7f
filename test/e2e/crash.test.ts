/** Power cuts: every process is killed at once in the middle of builds and uploads, then started again. */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { descendants } from "../../scripts/harness/processes.ts";
import { freePort } from "../../scripts/start/processes.ts";
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
import { photoJpeg } from "../support/draw.ts";
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

describe("kill -9 and restart", () => {
  it("keeps every acknowledged upload byte for byte, and no incomplete one", async () => {
    const photo = await photoJpeg(1600, 1200);
    const kept = await upload(space, photo);
    const big = await photoJpeg(5000, 4000, { quality: 100 });
    const half = request(new URL(`${space.api}/media`), {
      method: "POST",
      headers: { ...bearer(space.key), "Content-Length": String(big.length) },
    });
    half.on("error", () => undefined);
    await new Promise((resolve) => half.write(big.subarray(0, big.length >> 1), resolve));
    await service.kill();
    await restart();
    expect((await listed()).map(({ id }) => id)).toEqual([kept.id]);
    expect(Buffer.from(await (await fetch(kept.url)).arrayBuffer()).equals(photo)).toBe(true);
  });

  it("keeps the parts of an upload that were acknowledged, and makes one item of them", async () => {
    // What follows the end of a JPEG belongs to the file all the same.
    const photo = Buffer.concat([await photoJpeg(1600, 1200), Buffer.alloc(11_000_000, "tail")]);
    const uploads = `${space.api}/media/uploads`;
    const headers = bearer(space.key);
    const begin = { filename: "big.jpg", sizeBytes: photo.length };
    const { id, parts, partBytes } = await json<{ id: string; parts: number; partBytes: number }>(
      await fetch(uploads, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify(begin),
      }),
    );
    expect(parts).toBe(3);
    const part = (n: number): Uint8Array<ArrayBuffer> =>
      new Uint8Array(photo.subarray((n - 1) * partBytes, n * partBytes));
    const put = (n: number): Promise<Response> =>
      fetch(`${uploads}/${id}/parts/${n}`, { method: "PUT", headers, body: part(n) });
    await json(await put(1));
    const half = request(new URL(`${uploads}/${id}/parts/2`), {
      method: "PUT",
      headers: { ...headers, "Content-Length": String(part(2).length) },
    });
    half.on("error", () => undefined);
    await new Promise((resolve) => half.write(part(2).subarray(0, 100_000), resolve));
    await service.kill();
    await restart();
    const { received } = await json<{ received: number[] }>(await fetch(`${uploads}/${id}`, { headers }));
    expect(received).toEqual([1]);
    for (let n = 2; n <= parts; n++) await json(await put(n));
    const complete = (): Promise<Response> => fetch(`${uploads}/${id}/complete`, { method: "POST", headers });
    complete().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 30));
    await service.kill();
    await restart();
    const media = await json<MediaObject>(await complete());
    expect((await json<MediaObject>(await complete())).id).toBe(media.id);
    expect((await listed()).filter(({ filename }) => filename === begin.filename)).toHaveLength(1);
    expect(Buffer.from(await (await fetch(media.url)).arrayBuffer()).equals(photo)).toBe(true);
  });

  it("builds what was queued, each variant once, without another request", async () => {
    const { id } = await upload(space, await photoJpeg(2000, 1500, { quality: 95 }));
    const queries = ["w=1600&fm=avif&q=100", "w=1600&fm=avif&q=95", "w=1600&fm=webp&q=100"];
    for (const query of queries)
      expect((await picture(space, id, query)).state, query).toMatch(/queued|built/);
    await service.kill();
    await restart();
    await until(async () => (await usage()).variants.ready >= queries.length);
    for (const query of queries) expect((await picture(space, id, query)).state, query).toBe("hit");
    const builds = service.output().match(/"event":"build".*?"state":"built"/g) ?? [];
    expect(builds.length).toBeLessThanOrEqual(queries.length);
  });

  it("of only the builder's process needs no restart: a running build is repeated", async () => {
    const { id } = await upload(space, await photoJpeg(2000, 1501, { quality: 95 }));
    const query = "w=1600&fm=avif&q=100";
    expect((await picture(space, id, query)).state).toMatch(/queued|built/);
    const [wrangler = 0] = await service.processes(/wrangler.*dev.*builder\/wrangler\.toml/);
    const workers = descendants(wrangler, "workerd");
    expect(workers.length).toBeGreaterThan(0);
    for (const pid of workers) process.kill(pid, "SIGKILL");
    expect((await picture(space, id, query)).state).toMatch(/coalesced|queued/);
    expect((await variantOf(space, id, query)).width).toBe(1600);
    const { id: next } = await upload(space, await photoJpeg(800, 601));
    expect((await variantOf(space, next, "w=500&fm=webp")).width).toBe(500);
  });
});
