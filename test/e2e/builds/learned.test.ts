/**
 * Media that were stored before frames were counted, over HTTP: facts that a build learns of them decide from then on.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  bearer,
  json,
  type MediaObject,
  newSpace,
  picture,
  type Space,
  upload,
  variantOf,
} from "../../../scripts/harness/api.ts";
import { newDataDir, removeDataDir, type Service, startService } from "../../../scripts/harness/service.ts";
import { sample } from "../../../scripts/samples/animation/samples.ts";

const dataDir = newDataDir();
const accept = "image/avif,image/webp,*/*";
let service: Service;
let space: Space;
const ids: Record<string, string> = {};

/** How long another writer of the database is waited for. */
const LOCKED_MS = 60_000;

/**
 * Makes all masters as an early version stored them, without a count of their frames. It writes to the database of the
 * running service, when nothing else does.
 */
function forgetFrames(): void {
  const files = readdirSync(dataDir, { recursive: true, encoding: "utf8" });
  let forgotten = 0;
  for (const file of files.filter((name) => name.includes("d1") && name.endsWith(".sqlite"))) {
    const db = new DatabaseSync(join(dataDir, file), { timeout: LOCKED_MS });
    const isOurs = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'masters'").get() !== undefined;
    if (isOurs) {
      const uncounted = "json_set(facts, '$.frames', NULL, '$.animated', json('false'))";
      forgotten += Number(db.prepare(`UPDATE masters SET facts = ${uncounted}`).run().changes);
      db.exec("UPDATE media SET animated = 0");
    }
    db.close();
  }
  expect(forgotten).toBe(Object.keys(ids).length);
}

const item = async (id: string): Promise<MediaObject & { animated: boolean }> =>
  json(await fetch(`${space.api}/media/${id}`, { headers: bearer(space.key) }));

/** Asks until the answer is `wanted`: an isolate holds what it knew for some seconds. */
async function until(
  id: string,
  query: string,
  wanted: (answer: Awaited<ReturnType<typeof picture>>) => boolean,
) {
  for (;;) {
    const answer = await picture(space, id, query, { accept });
    if (wanted(answer)) return answer;
    expect(answer.status).toBe(302);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

beforeAll(async () => {
  service = await startService({ dataDir });
  space = await newSpace(service);
  const { gif, webp } = await sample("graphic");
  const still = await sharp(gif, { page: 0 }).gif().toBuffer();
  for (const [name, file] of Object.entries({ gif, webp, still, other: gif })) {
    ids[name] = (await upload(space, file)).id;
  }
  // Until it has made the placeholders, the service writes to its database by itself.
  const isPlaced = async (id: string): Promise<boolean> => (await item(id)).placeholder !== null;
  for (const id of Object.values(ids))
    while (!(await isPlaced(id))) await new Promise((resolve) => setTimeout(resolve, 250));
  forgetFrames();
});
afterAll(async () => {
  await service.stop();
  removeDataDir(dataDir);
});

describe("an animation whose frames were never counted", () => {
  it.each([
    ["GIF", "gif", "image/gif"],
    ["WebP", "webp", "image/webp"],
  ] as const)("%s loses none, and is known as an animation from then on", async (_name, master, own) => {
    const id = ids[master] ?? "";
    expect(await item(id)).toMatchObject({ frames: null, animated: false });
    await until(id, "w=64&fm=jpeg", ({ status }) => status === 400);
    expect(await item(id)).toMatchObject({ frames: 6, animated: true });
    for (const [query, type] of [
      ["w=64", own],
      ["w=128&auto=format", "image/webp"],
      ["w=64&fm=webp", "image/webp"],
    ] as const) {
      await until(id, query, ({ state }) => state === "hit");
      const built = await variantOf(space, id, query, { accept });
      expect(built.type).toBe(type);
      expect((await sharp(built.bytes, { pages: -1 }).metadata()).pages).toBe(6);
    }
    const path = `${space.api}/media?filter[animated][eq]=true`;
    const listed = await json<MediaObject[]>(await fetch(path, { headers: bearer(space.key) }));
    expect(listed.map((media) => media.id)).toContain(id);
  });

  it("gets the animated WebP that was requested before it was known to be one", async () => {
    const id = ids["other"] ?? "";
    const query = "w=64&auto=format";
    await until(id, query, ({ state }) => state === "hit");
    const built = await variantOf(space, id, query, { accept });
    expect(built.type).toBe("image/webp");
    expect((await sharp(built.bytes, { pages: -1 }).metadata()).pages).toBe(6);
    expect(await item(id)).toMatchObject({ frames: 6, animated: true });
  });
});

describe("a still whose frames were never counted", () => {
  it("is built, and known as a still from then on", async () => {
    const id = ids["still"] ?? "";
    expect(await item(id)).toMatchObject({ frames: null, animated: false });
    expect((await variantOf(space, id, "w=64&fm=jpeg")).type).toBe("image/jpeg");
    expect(await item(id)).toMatchObject({ frames: 1, animated: false });
    expect((await variantOf(space, id, "w=128&auto=format", { accept })).type).toBe("image/avif");
  });
});
