/** Parts of records, and records with their relations and media expanded (RULES 3.7). */
import { beforeAll, describe, expect, it } from "vitest";
import { CONTENT } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { makePosts, POSTS } from "../support/content/posts.ts";
import { bindings, makeMedia } from "../support/rows.ts";

let client: Client;
beforeAll(async () => {
  client = await makePosts();
});

describe("selectFields", () => {
  it("returns the id and the named fields, and is refused with unknown ones, as is populate", async () => {
    const id = await client.create("posts", { title: "Sel", body: "b" });
    expect((await client.call("GET", `${POSTS}/${id}?selectFields=title,body`)).data).toEqual({
      id,
      title: "Sel",
      body: "b",
    });
    expect((await client.call("GET", `${POSTS}/${id}?selectFields=version`)).data).toEqual({
      id,
      version: 1,
    });
    for (const query of [
      "selectFields=nope",
      "selectFields=",
      "populate=title",
      "populate=nope",
      "populate=author.nope",
      "populate=cover.url",
      "populate=author.friends.friends.name",
      "x=1",
      "populate=author&populate=tags",
    ]) {
      expect([query, (await client.call("GET", `${POSTS}/${id}?${query}`)).status]).toEqual([query, 400]);
    }
  });
});

describe("populate", () => {
  it("expands three levels; a target in the trash is null, or left out of a list", async () => {
    const photo = await makeMedia(client.space);
    const deep = await client.create("people", { name: "deep", photo: photo.id });
    const friend = await client.create("people", { name: "friend", friends: [deep] });
    const author = await client.create("people", {
      name: "author",
      friends: [friend, deep],
      photo: photo.id,
    });
    const [red, blue] = [
      await client.create("tags", { label: "red" }),
      await client.create("tags", { label: "blue" }),
    ];
    const id = await client.create("posts", { title: "Pop", author, tags: [blue, red], gallery: [photo.id] });
    const read = async () =>
      (await client.call("GET", `${POSTS}/${id}?populate=author.friends.friends,tags,gallery,author.photo`))
        .data;
    const before = await read();
    expect(before).toMatchObject({
      author: {
        name: "author",
        photo: { id: photo.id },
        friends: [{ id: friend, friends: [{ id: deep }] }, { id: deep }],
      },
      tags: [{ label: "blue" }, { label: "red" }],
      gallery: [{ id: photo.id, formats: { large: { width: 1000 } } }],
      cover: null,
    });
    await client.call("DELETE", `/data/collections/tags/${red}`);
    await client.call("DELETE", `/data/collections/people/${deep}`);
    await client.call("DELETE", `/media/${photo.id}`);
    expect(await read()).toMatchObject({
      author: { photo: null, friends: [{ id: friend, friends: [] }] },
      tags: [{ label: "blue" }],
      gallery: [],
    });
    // The ids themselves stay, and come back with a restore.
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toMatchObject({
      tags: [blue, red],
      gallery: [photo.id],
    });
    for (const entry of [red, deep, photo.id]) await client.call("POST", `/trash/${entry}/restore`);
    expect(await read()).toEqual(before);
  });

  it("expands a media item to the object that its own route returns, focal point included", async () => {
    const media = await makeMedia(client.space);
    await client.call("PATCH", `/media/${media.id}`, { focalPoint: { x: 0.2, y: 0.75 } });
    const id = await client.create("posts", { title: "Focal", cover: media.id });
    const { data } = await client.call<{ cover: object }>("GET", `${POSTS}/${id}?populate=cover`);
    expect(data.cover).toMatchObject({ focalPoint: { x: 0.2, y: 0.75 } });
    expect(data.cover).toEqual((await client.call("GET", `/media/${media.id}`)).data);
  });

  it("expands media by the space's present settings, and the ETag changes with them", async () => {
    const own = await Client.make();
    await own.model("shots", [{ name: "picture", type: "media" }]);
    const media = await makeMedia(own.space);
    const id = await own.create("shots", { picture: media.id });
    const path = `/data/collections/shots/${id}?populate=picture`;
    const before = await own.call<{ picture: { formats: { small: { url: string } } } }>("GET", path);
    expect(before.data.picture.formats.small.url).toContain(
      `/api/v1/${own.space.name}/pictures/${media.id}?w=500&q=80`,
    );
    const headers = { "If-None-Match": before.headers.get("ETag") ?? "" };
    expect((await own.call("GET", path, undefined, { headers })).status).toBe(304);
    await own.call("PATCH", "/settings", { adaptiveLoading: false });
    const after = await own.call<{ picture: object }>("GET", path, undefined, { headers });
    expect(after.status).toBe(200);
    expect(after.data.picture).not.toHaveProperty("formats");
  });

  it("refuses more than 2,000 targets, and answers over 8 MB", async () => {
    const own = await Client.make();
    await own.model("nodes", [
      { name: "blob", type: "text" },
      { name: "all", type: "relation", to: "nodes", multiple: true },
    ]);
    const leaf = await own.create("nodes", { blob: "x".repeat(400_000) });
    const others: string[] = [];
    for (let i = 0; i < 12; i++) others.push(await own.create("nodes", { all: [leaf] }));
    const root = await own.create("nodes", { all: others });
    expect((await own.call("GET", `/data/collections/nodes/${root}?populate=all`)).status).toBe(200);
    // 12 times the same leaf: 4.8 MB; with the list's other roots more than 8.
    expect((await own.call("GET", `/data/collections/nodes/${root}?populate=all.all`)).status).toBe(200);
    for (let i = 0; i < 12; i++) others.push(await own.create("nodes", { all: [leaf] }));
    const wide = await own.create("nodes", { all: others });
    const refused = await own.call("GET", `/data/collections/nodes/${wide}?populate=all.all`);
    expect([refused.status, refused.error.code]).toEqual([400, "INVALID_PARAMETER"]);
    const page = await own.call<object[]>("GET", "/data/collections/nodes?populate=all&limit=100");
    expect(page.status).toBe(200);
    expect(page.meta.nextCursor).not.toBeNull();
    const many = Array.from({ length: 2001 }, (_, i) => `T${String(i).padStart(25, "0")}`);
    const modelId = await bindings.DB.prepare("SELECT model_id AS id FROM records WHERE id = ?")
      .bind(root)
      .first("id");
    await bindings.DB.prepare(
      `/* fixture */ INSERT INTO records (model_id, space_id, id, data, size_bytes, version, created_at, updated_at)
       SELECT ?1, ?2, value, '{}', 2, 1, 1, 1 FROM json_each(?3)`,
    )
      .bind(modelId, own.space.id, JSON.stringify(many))
      .run();
    const crowd = await own.create("nodes", { all: many });
    expect((await own.call("GET", `/data/collections/nodes/${crowd}?populate=all`)).status).toBe(400);
    await own.call("PUT", `/data/collections/nodes/${crowd}`, { all: many.slice(1) });
    expect((await own.call("GET", `/data/collections/nodes/${crowd}?populate=all`)).status).toBe(200);
  });
});

describe("the limits of populate", () => {
  it("are 100 paths", async () => {
    const id = await client.create("posts", { title: "Paths" });
    const paths = (count: number): string => Array.from({ length: count }, () => "tags").join(",");
    const status = async (count: number) =>
      (await client.call("GET", `${POSTS}/${id}?populate=${paths(count)}`)).status;
    expect(await status(CONTENT.populateMaxPaths)).toBe(200);
    expect(await status(CONTENT.populateMaxPaths + 1)).toBe(400);
  });

  it("bound how often few targets are followed", async () => {
    const own = await Client.make();
    const links = ["a", "b"].map((name) => ({ name, type: "relation", to: "nodes", multiple: true }));
    await own.model("nodes", []);
    await own.call("PUT", "/models/collections/nodes", { fields: links });
    const bulk = (operations: object[]) =>
      own.call<{ id: string }[]>("POST", "/data/collections/nodes/bulk", { operations });
    const { data: made } = await bulk(Array.from({ length: 100 }, () => ({ op: "create", data: {} })));
    const all = made.map(({ id }) => id);
    await bulk(all.map((id) => ({ op: "update", id, data: { a: all, b: all } })));
    const read = (populate: string) =>
      own.call("GET", `/data/collections/nodes?limit=10&selectFields=a,b&populate=${populate}`);
    // 10 records with 100 references, each of whose 100 targets has 200, on two levels below: over 100,000 together.
    const { status, error } = await read("a.a.a,a.a.b,a.b.a,a.b.b,b.a.a,b.a.b,b.b.a,b.b.b");
    expect([status, error.message]).toEqual([400, expect.stringContaining("100000 references")]);
    expect((await read("a")).status).toBe(200);
  });
});
