import { beforeEach, describe, expect, it } from "vitest";
import { removeDueMasters } from "../../../src/edge/storage/sweep/expiry.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { trashMedia } from "../../../src/edge/storage/media/media.ts";
import { removeMedia } from "../../../src/edge/storage/media/remove-media.ts";
import { markSpaceRemoved } from "../../../src/edge/storage/spaces/spaces.ts";
import { commitVariant } from "../../../src/edge/storage/pictures/variants.ts";
import { VARIANT } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { failingD1 } from "../support/bindings/failing-d1.ts";
import { request } from "../support/http.ts";
import { waitingTags } from "../support/invalidation.ts";
import { bindings, makeMedia, type Media } from "../support/rows.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";

cleanBetweenTests();

let client: Client;
let media: Media;
beforeEach(async () => {
  client = await Client.make();
  media = await makeMedia(client.space);
});

const db = database(bindings.DB);
const mediaTag = (): string => `media:${media.id}`;
const spaceTag = (): string => `space:${client.space.id}`;

/** Returns the tags that a call leaves in the outbox, without those of earlier ones. */
async function tagsOf(change: () => Promise<unknown>): Promise<string[]> {
  await bindings.DB.prepare("DELETE FROM purges").run();
  await change();
  return waitingTags();
}

describe("answers that became wrong are invalidated", () => {
  it("when a picture is trashed, once", async () => {
    const trash = () => client.call("DELETE", `/media/${media.id}`);
    expect(await tagsOf(trash)).toEqual([mediaTag()]);
    expect(await tagsOf(trash)).toEqual([]);
  });

  it("when a picture is removed at once", async () => {
    await client.call("PATCH", "", { plan: { trashRetentionDays: 0 } });
    expect(await tagsOf(() => client.call("DELETE", `/media/${media.id}`))).toEqual([mediaTag()]);
  });

  it("when its file is replaced", async () => {
    const replace = async () => {
      const body = '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>';
      const path = `/api/v1/${client.space.name}/media/${media.id}/file`;
      const headers = { Authorization: `Bearer ${bindings.ROOT_TOKEN}` };
      const response = await request(path, { method: "PUT", headers, body });
      expect(response.status).toBe(200);
      await response.body?.cancel();
    };
    expect(await tagsOf(replace)).toEqual([mediaTag()]);
  });

  it("when its focal point moves, and not when it stays", async () => {
    const set = (focalPoint: unknown) => () => client.call("PATCH", `/media/${media.id}`, { focalPoint });
    expect(await tagsOf(set(null))).toEqual([]);
    expect(await tagsOf(set({ x: 0.25, y: 0.75 }))).toEqual([mediaTag()]);
    expect(await tagsOf(set({ x: 0.25, y: 0.75 }))).toEqual([]);
    expect(await tagsOf(set({ x: 0.25, y: 0.5 }))).toEqual([mediaTag()]);
    expect(await tagsOf(set(null))).toEqual([mediaTag()]);
    expect(await tagsOf(() => client.call("PATCH", `/media/${media.id}`, { alt: "x" }))).toEqual([]);
  });

  it("when a space is removed", async () => {
    const { name } = client.space;
    const by = { origin: OF_SYSTEM, now: Date.now() };
    expect(await tagsOf(() => client.call("DELETE", "", { confirm: name }))).toEqual([spaceTag()]);
    expect(await markSpaceRemoved(db, client.space, by)).toBe(false);
    // The media that the sweep then removes were invalidated with their space.
    expect(await tagsOf(() => removeMedia(db, [[client.space.id, media.id]], by))).toEqual([]);
  });

  it("when a space crops differently, but not for settings that change no answer", async () => {
    const set = (settings: unknown) => () => client.call("PATCH", "/settings", settings);
    expect(await tagsOf(set({ quality: 95, compression: false, adaptiveLoading: false }))).toEqual([]);
    expect(await tagsOf(set({ aspectRatios: ["1:1"] }))).toEqual([spaceTag()]);
    expect(await tagsOf(set({ aspectRatios: ["1:1"] }))).toEqual([]);
    expect(await tagsOf(set({ suggestFocalPoint: true }))).toEqual([spaceTag()]);
    expect(await tagsOf(set({ metadata: "copyright", gamut: "srgb" }))).toEqual([]);
    expect(await tagsOf(set({ metadata: "none" }))).toEqual([spaceTag()]);
    expect(await tagsOf(set({ gamut: "p3" }))).toEqual([spaceTag()]);
  });

  it("never when a space is renamed, because earlier names stay valid", async () => {
    expect(await tagsOf(() => client.call("PATCH", "", { name: "another-name" }))).toEqual([]);
  });

  it("when an earlier version expires, because the edge may keep its file", async () => {
    await bindings.DB.prepare("UPDATE masters SET purge_at = 1 WHERE media_id = ?").bind(media.id).run();
    expect(await tagsOf(() => removeDueMasters(db, 2, 10))).toEqual([mediaTag()]);
  });

  it("not when the trash is emptied, because its media were invalidated before", async () => {
    await client.call("DELETE", `/media/${media.id}`);
    expect(await tagsOf(() => client.call("DELETE", `/trash/${media.id}`))).toEqual([]);
  });
});

describe("a change and its tags", () => {
  it("are written together or not at all", async () => {
    for (const at of ["before", "after", 0, 1, 2] as const) {
      const item = await makeMedia(client.space);
      const failing = failingD1(bindings.DB, { call: 0, at });
      const trash = () =>
        trashMedia(database(failing.db), client.space.id, item.id, {
          deletedAt: 5,
          purgeAt: 6,
          origin: OF_SYSTEM,
        }).catch(() => undefined);
      const tags = await tagsOf(trash);
      const { n } = (await bindings.DB.prepare(
        "SELECT count(*) AS n FROM media WHERE id = ? AND deleted_at = 5",
      )
        .bind(item.id)
        .first<{ n: number }>()) ?? { n: -1 };
      expect(tags, String(at)).toEqual(n === 1 ? [`media:${item.id}`] : []);
      expect(n).toBe(at === "after" ? 1 : 0);
    }
  });
});

describe("a variant that is evicted", () => {
  const commit = (n: number) => {
    const at = { spaceId: media.spaceId, mediaId: media.id, version: 1, file: `w${n}-q80-e3.webp` };
    return commitVariant(bindings.DB, at, 3, 1000 + n);
  };

  it("invalidates its picture, and is served as long as its bytes exist, for earlier redirects", async () => {
    const insert = bindings.DB.prepare(
      `INSERT INTO variants (media_id, version, file, space_id, encoder_version, size_bytes, created_at, expires_at)
       SELECT ?1, 1, 'w' || value || '-q80-e3.webp', ?2, 3, 3, value, 9e15 FROM json_each(?3)`,
    );
    const widths = Array.from({ length: VARIANT.perMasterVersionMax - 1 }, (_, n) => n + 1);
    await insert.bind(media.id, client.space.id, JSON.stringify(widths)).run();
    expect(await tagsOf(() => commit(500))).toEqual([]);
    const evicted = `v/${client.space.id}/${media.id}/1/w1-q80-e3.webp`;
    await bindings.BUCKET.put(evicted, "old");
    expect(await tagsOf(() => commit(501))).toEqual([mediaTag()]);
    const served = await request(`/cdn/${evicted}`);
    expect([served.status, await served.text()]).toEqual([200, "old"]);
    expect(served.headers.get("Cache-Control")).toBe("public, max-age=300");
    await bindings.BUCKET.delete(evicted);
    expect((await request(`/cdn/${evicted}`)).status).toBe(302);
  });

  it("is not served once its master is no longer the present one", async () => {
    const old = `v/${client.space.id}/${media.id}/1/w1-q80-e3.webp`;
    await bindings.BUCKET.put(old, "old");
    await bindings.DB.prepare("UPDATE media SET master_version = 2, last_version = 2 WHERE id = ?")
      .bind(media.id)
      .run();
    expect((await request(`/cdn/${old}`)).status).toBe(302);
  });
});
