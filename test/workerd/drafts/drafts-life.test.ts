/** Drafts in the trash, in histories, on pages and among references, and the answers to keys that may not see them. */
import { describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { expectConsistent } from "../support/content/content-crash.ts";
import { makePosts, makePublished, POSTS, publish, titles, unpublish } from "../support/content/drafts.ts";
import { runSweep } from "../support/sweep.ts";

type Titled = { title: string }[];
const DAY_MS = 86_400_000;

describe("the trash", () => {
  it("accepts and restores both contents of a record", async () => {
    const client = await makePosts();
    const id = await makePublished(client, { title: "published", slug: "a" });
    await client.call("PUT", `${POSTS}/${id}`, { title: "draft", slug: "b" });
    await client.call("DELETE", `${POSTS}/${id}`);
    for (const status of ["published", "draft"])
      expect((await client.call("GET", `${POSTS}/${id}?status=${status}`)).status).toBe(404);
    expect(titles(await client.call<Titled>("GET", POSTS))).toEqual([]);
    await client.call("POST", `/trash/${id}/restore`);
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toMatchObject({
      title: "published",
      version: 1,
    });
    expect((await client.call("GET", `${POSTS}/${id}?status=draft`)).data).toMatchObject({
      title: "draft",
      status: "changed",
    });
    expect((await client.call("POST", POSTS, { slug: "a" })).status).toBe(409);
    await client.call("DELETE", `${POSTS}/${id}`);
    const taken = await client.create("posts", { slug: "a" });
    expect((await client.call("POST", `/trash/${id}/restore`)).status).toBe(409);
    await client.call("DELETE", `${POSTS}/${taken}`);
    expect((await client.call("DELETE", `/trash/${id}`)).status).toBe(200);
    await runSweep(Date.now() + 31 * DAY_MS);
    expect((await client.call<object[]>("GET", "/trash")).data).toEqual([]);
    expect((await client.call("GET", "/usage")).data["records"]).toEqual({ active: 0, trashed: 0 });
    await expectConsistent();
  });

  it("counts a record once", async () => {
    const client = await makePosts();
    await makePublished(client, { title: "a" });
    expect((await client.call("GET", "/usage")).data["records"]).toEqual({ active: 1, trashed: 0 });
  });
});

describe("a history", () => {
  it("shows what was published, and keeps it", async () => {
    const client = await makePosts();
    const id = await makePublished(client, { title: "one" });
    await client.call("PUT", `${POSTS}/${id}`, { title: "two" });
    await client.call("PUT", `${POSTS}/${id}`, { title: "three" });
    await runSweep(Date.now() + 31 * DAY_MS);
    const versions = async () =>
      (await client.call<{ version: number; event: string }[]>("GET", `${POSTS}/${id}/versions`)).data.map(
        ({ version, event }) => [version, event],
      );
    expect(await versions()).toEqual([
      [3, "updated"],
      [1, "created"],
    ]);
    await unpublish(client, id);
    expect((await versions())[0]).toEqual([3, "unpublished"]);
    await runSweep(Date.now() + 62 * DAY_MS);
    expect(await versions()).toEqual([[3, "updated"]]);
  });

  it("restores a version as a draft", async () => {
    const client = await makePosts();
    const id = await makePublished(client, { title: "one" });
    await client.call("PUT", `${POSTS}/${id}`, { title: "two" });
    await publish(client, id);
    const restored = await client.call("POST", `${POSTS}/${id}/versions/1/restore`);
    expect(restored.data).toMatchObject({ title: "one", status: "changed", version: 3 });
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toMatchObject({ title: "two" });
  });
});

describe("a page with drafts", () => {
  it("is 404 until it is published, and from a reset until it is restored", async () => {
    const client = await Client.make();
    const fields = [{ name: "headline", type: "string", default: "Hello" }];
    await client.call("POST", "/models", { typeModel: "pages", name: "front", fields, drafts: true });
    const path = "/data/pages/front/front";
    expect((await client.call("GET", path)).status).toBe(404);
    expect((await client.call("GET", `${path}?status=draft`)).data).toMatchObject({ headline: "Hello" });
    await client.call("POST", `${path}/publish`);
    expect((await client.call("GET", path)).data).toMatchObject({ headline: "Hello", status: "published" });
    expect((await client.call("DELETE", "/models/pages/front")).status).toBe(409);
    await client.call("PUT", path, { headline: "Edited" });
    await client.call("POST", `${path}/publish`);
    const { data } = await client.call<{ id: string }>("DELETE", path);
    expect((await client.call("GET", path)).status).toBe(404);
    expect((await client.call("GET", `${path}?status=draft`)).data).toMatchObject({
      headline: "Hello",
      status: "draft",
    });
    await client.call("POST", `/trash/${data.id}/restore`);
    expect((await client.call("GET", path)).data).toMatchObject({ headline: "Edited", status: "published" });
    await expectConsistent();
    await client.call("DELETE", path);
    await client.call(
      "DELETE",
      `/trash/${(await client.call<{ id: string }[]>("GET", "/trash")).data[0]?.id}`,
    );
    expect((await client.call("DELETE", "/models/pages/front")).status).toBe(200);
  });
});

describe("a key that may not see drafts", () => {
  it("cannot learn of a draft in any way", async () => {
    const client = await makePosts();
    const target = await makePublished(client, { title: "target" });
    const shown = await makePublished(client, { title: "shown", friend: target });
    await client.call("PUT", `${POSTS}/${shown}`, { title: "SECRET", friend: null });
    const hidden = await client.create("posts", { title: "SECRET", friend: target, slug: "SECRET" });
    const trashed = await client.create("posts", { title: "SECRET" });
    await client.call("DELETE", `${POSTS}/${trashed}`);
    const trashedShown = await makePublished(client, { title: "was shown" });
    await client.call("PUT", `${POSTS}/${trashedShown}`, { title: "SECRET" });
    await client.call("DELETE", `${POSTS}/${trashedShown}`);
    const never = "01AAAAAAAAAAAAAAAAAAAAAAAA";
    const key = await client.key("read");
    const get = (path: string, as: string | null = key) => client.call("GET", path, undefined, { key: as });

    const told = (reply: object) =>
      JSON.stringify({ ...reply, requestId: "" }).replaceAll(/[0-9a-f-]{36}/g, "");
    const alike = async (make: (id: string) => string, hiddenId: string) => {
      const [secret, absent] = [await get(make(hiddenId)), await get(make(never))];
      expect([make(hiddenId), secret.status]).toEqual([make(hiddenId), absent.status]);
      expect(told(secret.error)).toBe(told(absent.error));
    };
    await alike((id) => `${POSTS}/${id}`, hidden);
    await alike((id) => `${POSTS}/${id}?populate=friend`, hidden);
    await alike((id) => `${POSTS}/${id}?status=draft`, hidden);
    await alike((id) => `${POSTS}/${id}/references`, hidden);
    await alike((id) => `${POSTS}/${id}/versions`, hidden);
    await alike((id) => `${POSTS}/${id}/versions/1`, hidden);
    await alike((id) => `/trash/${id}`, trashed);

    const open = [
      `${POSTS}?count=true`,
      `${POSTS}?filter[slug][eq]=SECRET`,
      `${POSTS}?filter[title][icontains]=secret`,
      `${POSTS}?sort=title&populate=friend,friends`,
      `${POSTS}/${shown}?populate=friend`,
      `${POSTS}/${target}/references`,
      "/trash",
      `/trash/${trashedShown}`,
    ];
    for (const path of open) {
      const reply = await get(path);
      expect([path, reply.status]).toEqual([path, 200]);
      expect([path, JSON.stringify(reply.data).includes("SECRET")]).toEqual([path, false]);
      expect([path, JSON.stringify(reply).includes(hidden)]).toEqual([path, false]);
      expect([path, JSON.stringify(reply).includes(trashed)]).toEqual([path, false]);
    }
    expect((await get(`${POSTS}?count=true`)).meta.total).toBe(2);
    const references = await client.call<Titled>("GET", `${POSTS}/${target}/references`, undefined, { key });
    expect(titles(references)).toEqual(["shown"]);
    expect((await get(`/trash/${trashedShown}`)).data["content"]).toMatchObject({ title: "was shown" });

    for (const path of [
      `${POSTS}?status=draft`,
      `${POSTS}/${shown}?status=draft`,
      `${POSTS}/${shown}/versions`,
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 403]);
      expect([path, (await get(path, null)).status]).toEqual([path, 401]);
    }
    const preview = await client.key("preview");
    expect((await get(`${POSTS}/${hidden}?status=draft`, preview)).data).toMatchObject({ title: "SECRET" });
    const all = await client.call<{ id: string }[]>("GET", `${POSTS}/${target}/references`, undefined, {
      key: preview,
    });
    expect(all.data.map(({ id }) => id)).toEqual([hidden, shown]);
    expect((await client.call<object[]>("GET", "/trash", undefined, { key: preview })).data).toHaveLength(2);
    for (const step of ["publish", "unpublish"]) {
      const refused = await client.call("POST", `${POSTS}/${shown}/${step}`, {}, { key: preview });
      expect(refused.status).toBe(403);
    }
    const stranger = await (await Client.make()).key("admin");
    for (const path of [`${POSTS}/${hidden}?status=draft`, `${POSTS}/${shown}/versions/1`])
      expect((await get(path, stranger)).status).toBe(404);
  });
});
