/** Models with drafts (RULES 3.14): writes, publications, and the content that each key sees. */
import { describe, expect, it } from "vitest";
import {
  FIELDS,
  makePosts,
  makePublished,
  POSTS,
  publish,
  titles,
  unpublish,
} from "../support/content/drafts.ts";

type Titled = { title: string }[];

describe("a record of a model with drafts", () => {
  it("is 404 to readers until it is published, and then shows what was published", async () => {
    const client = await makePosts();
    const made = await client.call<{ id: string }>("POST", POSTS, { title: "One" });
    expect(made.data).toMatchObject({
      status: "draft",
      publishedAt: null,
      publishAt: null,
      unpublishAt: null,
    });
    const path = `${POSTS}/${made.data.id}`;
    expect((await client.call("GET", path)).status).toBe(404);
    expect((await client.call("GET", `${path}?status=published`)).status).toBe(404);
    expect((await client.call("GET", `${path}?status=draft`)).data).toEqual(made.data);
    expect(titles(await client.call<Titled>("GET", POSTS))).toEqual([]);

    const published = await publish(client, made.data.id);
    expect(published.data).toMatchObject({ status: "published", version: 1 });
    expect(published.data["publishedAt"]).toMatch(/Z$/);
    const first = await client.call("GET", path);
    expect(first.data).toMatchObject({ title: "One", version: 1, status: "published" });
    expect(first.headers.get("ETag")).toMatch(/^"1-/);

    const changed = await client.call("PUT", path, { title: "Two" });
    expect(changed.data).toMatchObject({ title: "Two", version: 2, status: "changed" });
    const still = await client.call("GET", path);
    expect(still.data).toEqual(first.data);
    expect(still.headers.get("ETag")).toBe(first.headers.get("ETag"));
    expect((await client.call("GET", `${path}?status=draft`)).data).toMatchObject({ title: "Two" });

    await publish(client, made.data.id);
    expect((await client.call("GET", path)).data).toMatchObject({ title: "Two", version: 2 });
    const back = await unpublish(client, made.data.id);
    expect(back.data).toMatchObject({ title: "Two", version: 2, status: "draft", publishedAt: null });
    expect((await client.call("GET", path)).status).toBe(404);
  });

  it("has an ETag for its draft that changes with its publication", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "One" });
    const tag = async () =>
      (await client.call("GET", `${POSTS}/${id}?status=draft`)).headers.get("ETag") ?? "";
    const before = await tag();
    await publish(client, id);
    expect(await tag()).not.toBe(before);
    const headers = { "If-Match": before };
    expect((await client.call("PUT", `${POSTS}/${id}`, { n: 1 }, { headers })).status).toBe(200);
  });

  it("may lack required fields until it is published, but never has a wrong type", async () => {
    const client = await makePosts();
    expect((await client.call("POST", POSTS, { title: 5 })).status).toBe(400);
    const id = await client.create("posts", { slug: "a" });
    const refused = await publish(client, id);
    expect([refused.status, refused.error.details]).toEqual([
      400,
      [{ path: "title", message: "is required to be published" }],
    ]);
    expect((await client.call("GET", `${POSTS}/${id}`)).status).toBe(404);
    await client.call("PUT", `${POSTS}/${id}`, { title: "Now" });
    expect((await publish(client, id)).status).toBe(200);
    expect((await client.call("PUT", `${POSTS}/${id}`, { title: null })).status).toBe(200);
    expect((await publish(client, id)).status).toBe(400);
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toMatchObject({ title: "Now" });
  });

  it("holds its unique values in both contents", async () => {
    const client = await makePosts();
    const id = await makePublished(client, { title: "One", slug: "a" });
    await client.call("PUT", `${POSTS}/${id}`, { slug: "b" });
    for (const slug of ["a", "b"])
      expect((await client.call("POST", POSTS, { title: "Two", slug })).status).toBe(409);
    expect((await client.call("PUT", `${POSTS}/${id}`, { slug: "a" })).status).toBe(200);
    expect((await client.call("POST", POSTS, { title: "Two", slug: "b" })).status).toBe(201);
    await client.call("PUT", `${POSTS}/${id}`, { slug: "c" });
    await publish(client, id);
    expect((await client.call("POST", POSTS, { title: "Three", slug: "a" })).status).toBe(201);
    expect((await client.call("POST", POSTS, { title: "Four", slug: "c" })).status).toBe(409);
  });

  it("can be sent back as it was read, but not with a changed publication", async () => {
    const client = await makePosts();
    const id = await makePublished(client, { title: "One" });
    const { data } = await client.call("GET", `${POSTS}/${id}?status=draft`);
    expect((await client.call("PUT", `${POSTS}/${id}`, { ...data, n: 3 })).status).toBe(200);
    const forged = await client.call("PUT", `${POSTS}/${id}`, { status: "published" });
    expect([forged.status, forged.error.details?.[0]?.path]).toEqual([400, "status"]);
    expect((await client.call("POST", POSTS, { title: "x", publishedAt: null })).status).toBe(400);
  });

  it("publishes and unpublishes only at the named version", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "One" });
    await client.call("PUT", `${POSTS}/${id}`, { n: 1 });
    const stale = { headers: { "If-Match": '"1-1"' } };
    expect((await client.call("POST", `${POSTS}/${id}/publish`, {}, stale)).status).toBe(412);
    const fresh = { headers: { "If-Match": '"2-1"' } };
    expect((await client.call("POST", `${POSTS}/${id}/publish`, {}, fresh)).status).toBe(200);
    expect((await client.call("POST", `${POSTS}/${id}/unpublish`, {}, stale)).status).toBe(412);
  });
});

describe("lists", () => {
  it("filter, sort, count and page by the content that is shown", async () => {
    const client = await makePosts();
    const ids: string[] = [];
    for (const n of [3, 1, 2]) ids.push(await makePublished(client, { title: `p${n}`, n }));
    await client.create("posts", { title: "never", n: 0 });
    for (const [index, id] of ids.entries())
      await client.call("PUT", `${POSTS}/${id}`, { title: `d${index}`, n: index });
    const list = (query: string) => client.call<Titled>("GET", `${POSTS}?${query}`);
    expect(titles(await list("sort=n"))).toEqual(["p1", "p2", "p3"]);
    expect(titles(await list("sort=n&status=draft&filter[n][gte]=1"))).toEqual(["d1", "d2"]);
    expect(titles(await list("filter[n][eq]=1"))).toEqual(["p1"]);
    expect(titles(await list("filter[n][eq]=1&status=draft"))).toEqual(["d1"]);
    expect(titles(await list(""))).toEqual(["p2", "p1", "p3"]);
    expect(titles(await list("filter[title][startsWith]=p"))).toEqual(["p2", "p1", "p3"]);
    expect((await list("count=true")).meta.total).toBe(3);
    expect((await list("count=true&status=draft")).meta.total).toBe(4);
    const page = await list("limit=2");
    const rest = await list(`limit=2&cursor=${page.meta.nextCursor ?? ""}`);
    expect([...titles(page), ...titles(rest)]).toEqual(["p2", "p1", "p3"]);
    expect((await list(`limit=2&status=draft&cursor=${page.meta.nextCursor ?? ""}`)).status).toBe(400);
    expect((await list("status=both")).status).toBe(400);
  });

  it("expand and filter through published contents, or through drafts", async () => {
    const client = await makePosts();
    const hidden = await client.create("posts", { title: "hidden" });
    const shown = await makePublished(client, { title: "shown" });
    await client.call("PUT", `${POSTS}/${shown}`, { title: "edited" });
    const id = await makePublished(client, { title: "root", friend: shown, friends: [shown, hidden] });
    const path = `${POSTS}/${id}?populate=friend,friends`;
    const published = (await client.call("GET", path)).data;
    expect(published["friend"]).toMatchObject({ title: "shown", status: "published" });
    expect(titles({ data: published["friends"] } as never)).toEqual(["shown"]);
    const draft = (await client.call("GET", `${path}&status=draft`)).data;
    expect(titles({ data: draft["friends"] } as never)).toEqual(["edited", "hidden"]);
    const through = async (query: string) => titles(await client.call<Titled>("GET", `${POSTS}?${query}`));
    expect(await through("filter[friends.title][eq]=hidden")).toEqual([]);
    expect(await through("filter[friends.title][eq]=hidden&status=draft")).toEqual(["root"]);
    expect(await through("filter[friend.title][eq]=shown")).toEqual(["root"]);
    expect(await through("filter[friend.title][eq]=shown&status=draft")).toEqual([]);
  });

  it("search the words of the content that is shown", async () => {
    const client = await makePosts();
    const fields = FIELDS.map((field) => (field.name === "title" ? { ...field, searchable: true } : field));
    await client.call("PUT", "/models/collections/posts", { fields });
    const id = await makePublished(client, { title: "an old engine" });
    await client.call("PUT", `${POSTS}/${id}`, { title: "a new loom" });
    const found = async (words: string, status: string) =>
      titles(await client.call<Titled>("GET", `${POSTS}?search=${words}&status=${status}`));
    expect(await found("engine", "published")).toEqual(["an old engine"]);
    expect(await found("engine", "draft")).toEqual([]);
    expect(await found("loom", "published")).toEqual([]);
    expect(await found("loom", "draft")).toEqual(["a new loom"]);
    await publish(client, id);
    expect(await found("loom", "published")).toEqual(["a new loom"]);
    await unpublish(client, id);
    expect(await found("loom", "published")).toEqual([]);
  });

  it("keep the order of creation, independent of the time of publishing", async () => {
    const client = await makePosts();
    const ids: string[] = [];
    for (const title of ["a", "b", "c"]) ids.push(await client.create("posts", { title, n: 1 }));
    for (const id of [...ids].reverse()) await publish(client, id);
    expect(titles(await client.call<Titled>("GET", `${POSTS}?filter[n][eq]=1`))).toEqual(["c", "b", "a"]);
    expect(titles(await client.call<Titled>("GET", `${POSTS}?sort=createdAt`))).toEqual(["a", "b", "c"]);
  });
});

describe("a model without drafts", () => {
  it("has nothing to publish, and the same content for either status", async () => {
    const client = await makePosts();
    await client.model("plain", FIELDS.slice(0, 3));
    const id = await client.create("plain", { title: "x" });
    const path = `/data/collections/plain/${id}`;
    expect((await client.call("POST", `${path}/publish`)).status).toBe(409);
    const read = await client.call("GET", path);
    expect(Object.keys(read.data)).not.toContain("status");
    expect((await client.call("GET", `${path}?status=draft`)).data).toEqual(read.data);
    expect((await client.call("POST", "/data/collections/plain", {})).status).toBe(400);
  });
});
