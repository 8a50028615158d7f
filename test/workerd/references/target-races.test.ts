/** A write that refers to a target, and the target's removal between the write's look for it and its batch. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { callWith, type Asked } from "../support/interleave.ts";
import { makeMedia } from "../support/rows.ts";

const POSTS = "/data/collections/posts";

let client: Client;
let author: string;
let cover: string;
/** A post whose version 1 names the author and the cover, and whose present content names neither. */
let post: string;

beforeAll(async () => {
  client = await Client.make();
  await client.model("authors", [{ name: "name", type: "string" }]);
  await client.model("posts", [
    { name: "title", type: "string" },
    { name: "author", type: "relation", to: "authors" },
    { name: "others", type: "relation", to: "authors", multiple: true },
    { name: "cover", type: "media" },
    { name: "gallery", type: "media", multiple: true },
  ]);
});

beforeEach(async () => {
  author = await client.create("authors", { name: "Ada" });
  cover = (await makeMedia(client.space)).id;
  post = await client.create("posts", { author, cover });
  await client.call("PUT", `${POSTS}/${post}`, { author: null, cover: null });
});

const WRITES: Record<string, [(name: string, id: string | string[]) => Asked, prefix: string]> = {
  POST: [(name, id) => ({ method: "POST", path: POSTS, body: { [name]: id } }), ""],
  PUT: [(name, id) => ({ method: "PUT", path: `${POSTS}/${post}`, body: { [name]: id } }), ""],
  "a bulk": [
    (name, id) => ({
      method: "POST",
      path: `${POSTS}/bulk`,
      body: {
        operations: [
          { op: "create", data: { title: "fine" } },
          { op: "update", id: post, data: { [name]: id } },
        ],
      },
    }),
    "operations.1.data.",
  ],
  "a restore of a version": [() => ({ method: "POST", path: `${POSTS}/${post}/versions/1/restore` }), ""],
};

const total = async (): Promise<number | undefined> =>
  (await client.call("GET", `${POSTS}?count=true&limit=1`)).meta.total;

describe.each(Object.entries(WRITES))("%s", (_name, [write, prefix]) => {
  it.each(["", "?ifUnreferenced=true"])(
    "refers to no record that DELETE%s has removed",
    async (condition) => {
      const before = await total();
      const removal = () => client.call("DELETE", `/data/collections/authors/${author}${condition}`);
      const written = await callWith(client, write("author", author), async () => {
        expect((await removal()).status).toBe(200);
      });
      expect(written).toEqual({ status: 400, paths: [`${prefix}author`] });
      expect(await total()).toBe(before);
    },
  );

  it("refers to no media item that is removed", async () => {
    const written = await callWith(client, write("cover", cover), () =>
      client.call("DELETE", `/media/${cover}?ifUnreferenced=true`),
    );
    expect(written).toEqual({ status: 400, paths: [`${prefix}cover`] });
  });

  it("is done when its target is only changed meanwhile", async () => {
    const written = await callWith(client, write("author", author), () =>
      client.call("PUT", `/data/collections/authors/${author}`, { name: "Grace" }),
    );
    expect(written.status).toBeLessThan(300);
    const refused = await client.call("DELETE", `/data/collections/authors/${author}?ifUnreferenced=true`);
    expect(refused.status).toBe(409);
  });
});

describe.each(["POST", "PUT", "a bulk"] as const)("a list of %s", (name) => {
  const [write, prefix] = WRITES[name] as [(name: string, id: string | string[]) => Asked, string];

  it("names each item that was removed meanwhile", async () => {
    const stays = await client.create("authors", { name: "stays" });
    const written = await callWith(client, write("others", [stays, author]), () =>
      client.call("DELETE", `/data/collections/authors/${author}?ifUnreferenced=true`),
    );
    expect(written).toEqual({ status: 400, paths: [`${prefix}others`] });
    const pictures = await callWith(client, write("gallery", [cover]), () =>
      client.call("DELETE", `/media/${cover}?ifUnreferenced=true`),
    );
    expect(pictures).toEqual({ status: 400, paths: [`${prefix}gallery`] });
  });
});

it("a record keeps a reference that it held before its target went", async () => {
  await client.call("PUT", `${POSTS}/${post}`, { author });
  const written = await callWith(
    client,
    { method: "PUT", path: `${POSTS}/${post}`, body: { author, title: "kept" } },
    () => client.call("DELETE", `/data/collections/authors/${author}`),
  );
  expect(written.status).toBe(200);
});
