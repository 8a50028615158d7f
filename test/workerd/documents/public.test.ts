/** Public content (RULES 3.17): the reads that any visitor may make, their caching, and the parts that stay hidden. */
import { beforeAll, describe, expect, it } from "vitest";
import { call, Client } from "../support/api.ts";
import { makeMedia } from "../support/rows.ts";

let client: Client;
let author: string;
let secret: string;
let post: string;
let media: string;

const CACHED = "public, max-age=60, stale-while-revalidate=600";
const LIST = "/data/collections/posts";

interface Post {
  id: string;
  title: string;
  author: unknown;
  secret: unknown;
  cover: unknown;
}

const open = <Data = Post>(path: string, headers: Record<string, string> = {}) =>
  client.call<Data>("GET", path, undefined, { key: null, headers });

const model = (name: string, fields: object[], more: object = {}) =>
  client.call("POST", "/models", { typeModel: "collections", name, fields, ...more });

beforeAll(async () => {
  client = await Client.make();
  const title = { name: "title", type: "string", searchable: true };
  await model("authors", [{ name: "name", type: "string" }], { public: true });
  await model("secrets", [{ name: "name", type: "string" }]);
  await model(
    "posts",
    [
      title,
      { name: "author", type: "relation", to: "authors" },
      { name: "secret", type: "relation", to: "secrets" },
      { name: "secrets", type: "relation", to: "secrets", multiple: true },
      { name: "cover", type: "media" },
    ],
    { public: true },
  );
  await model("drafted", [title], { public: true, drafts: true });
  author = await client.create("authors", { name: "Ada" });
  secret = await client.create("secrets", { name: "hidden" });
  media = (await makeMedia(client.space)).id;
  post = await client.create("posts", { title: "One", author, secret, secrets: [secret], cover: media });
});

describe("without a key", () => {
  it("a record and a list can be read and cached", async () => {
    const one = await open(`${LIST}/${post}`);
    expect([one.status, one.data.title]).toEqual([200, "One"]);
    const list = await open<Post[]>(`${LIST}?filter[title][eq]=One&count=true&sort=title`);
    expect([list.data.length, list.meta.total]).toEqual([1, 1]);
    expect((await open<Post[]>(`${LIST}?search=one`)).data).toHaveLength(1);
    for (const { headers } of [one, list]) {
      expect(headers.get("Cache-Control")).toBe(CACHED);
      expect(headers.get("Vary")).toBe("Authorization");
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    }
    const etag = one.headers.get("ETag") ?? "";
    const again = await open(`${LIST}/${post}`, { "If-None-Match": etag });
    expect([again.status, again.headers.get("Cache-Control")]).toEqual([304, CACHED]);
  });

  it("populate expands public models and media; other ids stay ids", async () => {
    const { data } = await open(`${LIST}/${post}?populate=author,secret,secrets,cover`);
    expect(data).toMatchObject({ author: { name: "Ada" }, secret, secrets: [secret], cover: { id: media } });
    const list = await open<Post[]>(`${LIST}?populate=secret.name,author`);
    expect(list.data[0]).toMatchObject({ author: { name: "Ada" }, secret });
  });

  it("filters go through relations to public models, others are 400", async () => {
    expect((await open<Post[]>(`${LIST}?filter[author.name][eq]=Ada`)).data).toHaveLength(1);
    for (const query of [
      "filter[secret.name][eq]=hidden",
      "filter[secrets.name][startsWith]=h",
      "filter[or][0][secret.name][ne]=x",
    ]) {
      const reply = await open(`${LIST}?${query}`);
      expect([reply.status, reply.error.code]).toEqual([400, "INVALID_PARAMETER"]);
      expect(reply.headers.get("Cache-Control")).toBe("no-store");
    }
  });

  it("a record that does not exist is 404, and not cached", async () => {
    const reply = await open(`${LIST}/nobody`);
    expect([reply.status, reply.headers.get("Cache-Control")]).toEqual([404, "no-store"]);
  });

  it("only what is published is read", async () => {
    const id = await client.create("drafted", { title: "draft" });
    const path = `/data/collections/drafted`;
    expect((await open(`${path}/${id}`)).status).toBe(404);
    expect((await open<Post[]>(path)).data).toEqual([]);
    expect((await open<Post[]>(`${path}?search=draft`)).data).toEqual([]);
    for (const at of [path, `${path}/${id}`]) expect((await open(`${at}?status=draft`)).status).toBe(401);
    await client.call("POST", `${path}/${id}/publish`);
    await client.call("PUT", `${path}/${id}`, { title: "changed" });
    expect((await open(`${path}/${id}`)).data.title).toBe("draft");
    expect((await open<Post[]>(`${path}?search=changed`)).data).toEqual([]);
  });
});

describe("with a key", () => {
  it("the answer is as for any model", async () => {
    const key = await client.key("read");
    const { status, headers, data } = await client.call("GET", `${LIST}/${post}?populate=secret`, undefined, {
      key,
    });
    expect([status, headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    expect(data).toMatchObject({ secret: { name: "hidden" } });
  });

  it("a wrong key is refused, and another space's key finds nothing", async () => {
    expect((await client.call("GET", LIST, undefined, { key: "wrong" })).status).toBe(401);
    expect(
      (await client.call("GET", LIST, undefined, { headers: { Authorization: "Basic eDp5" }, key: null }))
        .status,
    ).toBe(401);
    const other = await (await Client.make()).key("admin");
    expect((await client.call("GET", LIST, undefined, { key: other })).status).toBe(404);
  });
});

describe("a model that is not public", () => {
  it("answers like one that does not exist", async () => {
    const paths = [
      "/data/collections/secrets",
      `/data/collections/secrets/${secret}`,
      "/data/collections/nothing",
      "/data/pages/posts",
      "/data/nonsense/posts",
      `${LIST}/${post}/references`,
      `${LIST}/${post}/versions`,
      "/models/collections/posts",
      "/media",
      "/trash",
    ].map((path) => `/api/v1/${client.space.name}${path}`);
    const answers = await Promise.all(
      [...paths, "/api/v1/nowhere/data/collections/posts"].map((path) =>
        call("GET", path, undefined, { key: null }),
      ),
    );
    for (const { status, error, headers } of answers) {
      expect([status, error.code, error.message]).toEqual([
        401,
        "UNAUTHENTICATED",
        "Send a valid key as Authorization: Bearer <key>.",
      ]);
      expect(headers.get("Cache-Control")).toBe("no-store");
    }
  });

  it("requires a key for writes, and to become private", async () => {
    for (const [method, path] of [
      ["POST", LIST],
      ["POST", `${LIST}/bulk`],
      ["PUT", `${LIST}/${post}`],
      ["DELETE", `${LIST}/${post}`],
    ] as const) {
      expect((await client.call(method, path, {}, { key: null })).status).toBe(401);
    }
    const fields = [{ name: "name", type: "string" }];
    const off = await client.call("PUT", "/models/collections/authors", { fields, public: false });
    expect([off.status, off.data["public"]]).toEqual([200, false]);
    expect((await open("/data/collections/authors")).status).toBe(401);
    expect((await open(`${LIST}/${post}?populate=author`)).data.author).toBe(author);
    await client.call("PUT", "/models/collections/authors", { fields, public: true });
    await client.call("PUT", "/models/collections/authors", { fields });
    expect((await open("/data/collections/authors")).status).toBe(200);
  });
});
