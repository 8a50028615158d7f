/** The typed client, against the service; the types are checked by tsc, the values here. */
import { exports } from "cloudflare:workers";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createClient, SilverprintError, type Media } from "../../../src/client/index.ts";
import type { Space } from "../../support/space-types.ts";
import { Client } from "../support/api.ts";
import { makeMedia } from "../support/rows.ts";

const worker = (exports as unknown as { default: Fetcher }).default;

describe("the client", () => {
  it("reads and writes records, typed by the space's models", async () => {
    const server = await Client.make();
    await server.model("authors", [
      { name: "name", type: "string", required: true },
      { name: "photo", type: "media" },
    ]);
    await server.model("posts", [
      { name: "title", type: "string", required: true, searchable: true },
      { name: "stars", type: "number", default: 1 },
      { name: "author", type: "relation", to: "authors" },
      { name: "reviewers", type: "relation", to: "authors", multiple: true },
      { name: "kind", type: "enum", values: ["news", "note"] },
    ]);
    await server.model("home", [{ name: "headline", type: "string", default: "Hi" }], "pages");
    const photo = await makeMedia(server.space);
    const client = createClient<Space>({
      baseUrl: "https://api.test/",
      space: server.space.name,
      key: await server.key("admin"),
      fetch: (request) => worker.fetch(request),
    });
    const author = await client.collection("authors").create({ name: "Ada", photo: photo.id });
    const posts = client.collection("posts");
    const post = await posts.create({
      title: "One",
      author: author.id,
      reviewers: [author.id],
      kind: "news",
    });
    expectTypeOf(post.author).toEqualTypeOf<string | null>();
    expectTypeOf(post.kind).toEqualTypeOf<"news" | "note" | null>();
    const read = await posts.get(post.id, {
      populate: ["author.photo", "reviewers"],
      selectFields: ["author", "reviewers"],
    });
    expectTypeOf(read).not.toHaveProperty("title");
    expectTypeOf(read.author?.photo).toEqualTypeOf<Media | null | undefined>();
    expectTypeOf(read.reviewers[0]?.photo).toEqualTypeOf<string | null | undefined>();
    expect(read.author?.photo?.id).toBe(photo.id);
    expect(read.reviewers[0]?.name).toBe("Ada");
    const once = { idempotencyKey: "two" };
    const two = await posts.create({ title: "Two" }, once);
    expect(await posts.create({ title: "Two" }, once)).toEqual(two);
    await expect(posts.create({ title: "Three" }, once)).rejects.toMatchObject({ status: 422 });
    // @ts-expect-error no such field
    await expect(posts.create({ title: "x", nope: 1 })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      status: 400,
    });
    // @ts-expect-error not a relation
    await expect(posts.list({ populate: ["title"] })).rejects.toBeInstanceOf(SilverprintError);
    const page = await posts.list({
      filter: { stars: { gte: 1 }, title: { in: ["One", "Two"] } },
      sort: ["-title"],
      limit: 1,
    });
    expect(page.data.map(({ title }) => title)).toEqual(["Two"]);
    await posts.create({ title: "One, Two" });
    const whole = await posts.list({ filter: { title: { in: ["One, Two"] } } });
    expect(whole.data.map(({ title }) => title)).toEqual(["One, Two"]);
    await expect(posts.list({ filter: { title: { in: [] } } })).rejects.toThrow("at least one value");
    const nested = await client.api.GET("/api/v1/{spaceName}/data/{typeModel}/{model}", {
      params: {
        path: { spaceName: server.space.name, typeModel: "collections", model: "posts" },
        query: { filter: { title: { in: ["One, Two", "Two"] }, stars: { gte: 1 } }, sort: "title" },
      },
    });
    expect(nested.data?.data.map((post) => post["title"])).toEqual(["One, Two", "Two"]);
    const found = await posts.list({ search: "two", count: true, limit: 1 });
    expect([found.data[0]?.title, found.meta.total]).toEqual(["Two", 2]);
    const either = await posts.list({
      filter: { "author.name": { icontains: "ADA" }, or: [{ title: { eq: "One" } }, { stars: { gt: 100 } }] },
    });
    expect(either.data.map(({ title }) => title)).toEqual(["One"]);
    // @ts-expect-error no such field
    await expect(posts.list({ filter: { nope: { eq: 1 } } })).rejects.toMatchObject({ status: 400 });
    const anybody = createClient<Space>({
      baseUrl: "https://api.test",
      space: server.space.name,
      fetch: (request) => worker.fetch(request),
    });
    await expect(anybody.collection("posts").list()).rejects.toMatchObject({ status: 401 });
    const { fields } = (await server.call<{ fields: object[] }>("GET", "/models/collections/posts")).data;
    await server.call("PUT", "/models/collections/posts", { fields, public: true });
    expect((await anybody.collection("posts").get(post.id)).title).toBe("One");
    await posts.delete(whole.data[0]?.id ?? "");
    const titles: string[] = [];
    for await (const { title } of posts.all({ sort: ["title"], limit: 1, selectFields: ["title"] }))
      titles.push(title);
    expect(titles).toEqual(["One", "Two"]);
    const [made] = await posts.bulk([
      { op: "create", data: { title: "Three" } },
      { op: "update", id: post.id, data: { kind: "note" }, ifMatch: 1 },
    ]);
    expect(await posts.bulk([{ op: "delete", id: made?.id ?? "", ifMatch: 1 }])).toHaveLength(1);
    await posts.update(post.id, { kind: "news" }, { ifMatch: 2 });
    // @ts-expect-error no such field
    await expect(posts.bulk([{ op: "create", data: { nope: 1 } }])).rejects.toMatchObject({ status: 400 });
    await posts.update(post.id, { stars: 5 }, { ifMatch: 3 });
    await expect(posts.update(post.id, { stars: 6 }, { ifMatch: 1 })).rejects.toMatchObject({ status: 412 });
    expect((await posts.delete(post.id)).state).toBe("trashed");
    expect((await client.page("home").get()).headline).toBe("Hi");
    const media = await client.api.GET("/api/v1/{spaceName}/media", {
      params: { path: { spaceName: server.space.name } },
    });
    expect(media.data?.data[0]?.id).toBe(photo.id);
  });
});
