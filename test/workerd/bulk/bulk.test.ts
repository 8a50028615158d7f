/** Many operations in one request (RULES 3.16): all of them, or none, with every fault under its number. */
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { CONTENT } from "../../../src/limits.ts";
import { Client, type Reply } from "../support/api.ts";

interface Done {
  op: string;
  id: string;
  version: number;
}

let client: Client;
let author: string;
let ids: string[] = [];

const bulk = (operations: unknown, of = "posts"): Promise<Reply<Done[]>> =>
  client.call("POST", `/data/collections/${of}/bulk`, { operations });

const read = (id: string) => client.call("GET", `/data/collections/posts/${id}`);

const total = async (): Promise<number | undefined> =>
  (await client.call("GET", "/data/collections/posts?count=true&limit=1")).meta.total;

const paths = (reply: Reply<unknown>): string[] => (reply.error.details ?? []).map(({ path }) => path);

beforeAll(async () => {
  client = await Client.make();
  await client.model("authors", [{ name: "name", type: "string" }]);
  await client.model("posts", [
    { name: "slug", type: "string", unique: true },
    { name: "title", type: "string", required: true, searchable: true },
    { name: "author", type: "relation", to: "authors" },
  ]);
  await client.model("home", [{ name: "title", type: "string" }], "pages");
  author = await client.create("authors", { name: "Ada" });
});

let round = 0;
beforeEach(async () => {
  round += 1;
  ids = [];
  for (const n of [0, 1, 2])
    ids.push(await client.create("posts", { slug: `${round}-${n}`, title: `Post ${n}` }));
});

describe("a bulk", () => {
  it("looks for the targets of all its operations by one query", async () => {
    const log = vi.spyOn(console, "log");
    const operations = Array.from({ length: 20 }, (_, n) => ({
      op: "create",
      data: {
        slug: `${round}-lots-${n}`,
        title: "Lots",
        author: n === 7 || n === 9 ? `nobody-${n}` : author,
      },
    }));
    const refused = await bulk(operations);
    expect(paths(refused)).toEqual(["operations.7.data.author", "operations.9.data.author"]);
    for (const { data } of operations) data.author = author;
    expect((await bulk(operations)).data).toHaveLength(20);
    const queries = log.mock.calls.flatMap(([line]) => {
      const event = JSON.parse(String(line)) as { route?: string; queries?: number };
      return event.route?.endsWith("/bulk") ? [event.queries] : [];
    });
    log.mockRestore();
    // The queries: the key with the model; the targets; the batch.
    expect(queries).toEqual([2, 3]);
  });

  it("does what is asked, in the order asked", async () => {
    const reply = await bulk([
      { op: "delete", id: ids[0] },
      { op: "create", data: { slug: `${round}-0`, title: "Narwhal", author } },
      { op: "update", id: ids[1], ifMatch: '"1-1"', data: { title: "Changed" } },
      { op: "update", id: ids[2], data: { title: "Post 2" } },
    ]);
    expect(reply.status).toBe(200);
    const made = reply.data[1]?.id ?? "";
    expect(reply.data).toEqual([
      { op: "delete", id: ids[0], version: 1 },
      { op: "create", id: made, version: 1 },
      { op: "update", id: ids[1], version: 2 },
      { op: "update", id: ids[2], version: 1 },
    ]);
    expect((await read(ids[0] ?? "")).status).toBe(404);
    expect((await read(made)).data).toMatchObject({ title: "Narwhal", author });
    expect((await read(ids[1] ?? "")).data).toMatchObject({ title: "Changed", version: 2 });
    const found = await client.call<Done[]>("GET", "/data/collections/posts?search=narwhal");
    expect(found.data.map(({ id }) => id)).toEqual([made]);
    expect((await client.call("POST", `/trash/${ids[0]}/restore`)).status).toBe(409);
  });

  it("accepts 100 operations, and keeps their order", async () => {
    const operations = Array.from({ length: CONTENT.bulkOperationsMax }, (_, n) => ({
      op: "create",
      data: { slug: `${round}-many-${n}`, title: `Many ${n}`, author },
    }));
    const reply = await bulk(operations);
    expect(reply.status).toBe(200);
    const listed = await client.call<Done[]>(
      "GET",
      "/data/collections/posts?sort=createdAt&limit=100&filter[title][startsWith]=Many",
    );
    expect(listed.data.map(({ id }) => id)).toEqual(reply.data.map(({ id }) => id));
    const over = await bulk([...operations, operations[0]]);
    expect([over.status, paths(over)]).toEqual([400, ["operations"]]);
  });

  it("lists every fault under its operation, and changes nothing", async () => {
    const before = await total();
    const reply = await bulk([
      { op: "create", data: { slug: "fine", title: "Fine" } },
      { op: "create", data: { title: 5, nope: 1 } },
      { op: "update", id: ids[0], data: { author: "01AAAAAAAAAAAAAAAAAAAAAAAA" } },
      { op: "update", id: "nobody", data: {} },
      { op: "delete", id: ids[1], ifMatch: '"7"' },
    ]);
    expect([reply.status, reply.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(paths(reply)).toEqual([
      "operations.1.data.title",
      "operations.1.data.nope",
      "operations.2.data.author",
      "operations.3.id",
      "operations.4.ifMatch",
    ]);
    expect(await total()).toBe(before);
    expect((await read(ids[1] ?? "")).status).toBe(200);
  });

  it.each([
    [
      "a stale ETag",
      () => [{ op: "update", id: ids[0], ifMatch: '"9-1"', data: {} }],
      412,
      ["operations.0.ifMatch"],
    ],
    ["a record that is not there", () => [{ op: "delete", id: "nobody" }], 404, ["operations.0.id"]],
    [
      "a value that is taken",
      () => [
        { op: "create", data: { title: "a", slug: "new" } },
        { op: "create", data: { title: "a", slug: `${round}-1` } },
      ],
      409,
      ["operations.1.data.slug"],
    ],
    [
      "a value that is given twice",
      () => [
        { op: "create", data: { title: "a", slug: "same" } },
        { op: "update", id: ids[0], data: { slug: "same" } },
      ],
      409,
      ["operations.1.data.slug"],
    ],
    [
      "a record that is named twice",
      () => [
        { op: "update", id: ids[0], data: {} },
        { op: "delete", id: ids[0] },
      ],
      400,
      ["operations.1.id"],
    ],
    ["an unknown operation", () => [{ op: "upsert", data: {} }], 400, ["operations.0.op"]],
    [
      "what an operation does not take",
      () => [{ op: "delete", id: ids[0], data: {} }],
      400,
      ["operations.0.data"],
    ],
    ["no data", () => [{ op: "create" }], 400, ["operations.0.data"]],
    ["no operation", () => [], 400, ["operations"]],
  ])("refuses %s", async (_, operations, status, at) => {
    const before = await total();
    const reply = await bulk(operations());
    expect([reply.status, paths(reply)]).toEqual([status, at]);
    expect(await total()).toBe(before);
  });

  it("is for collections, and for keys that may write", async () => {
    const operations = [{ op: "create", data: { title: "a" } }];
    expect((await client.call("POST", "/data/pages/home/bulk", { operations })).status).toBe(409);
    const key = await client.key("read");
    const reply = await client.call("POST", "/data/collections/posts/bulk", { operations }, { key });
    expect(reply.status).toBe(403);
    const other = await Client.make();
    const foreign = await client.call(
      "POST",
      "/data/collections/posts/bulk",
      { operations },
      { key: await other.key("write") },
    );
    expect(foreign.status).toBe(404);
  });
});

describe("bulks at the same time", () => {
  it("lose no change, and are each done completely", async () => {
    const names = ["a", "b", "c", "d"];
    const replies = await Promise.all([
      ...names.map((name) =>
        bulk([
          { op: "create", data: { slug: `${round}-${name}`, title: "Race" } },
          { op: "update", id: ids[0], data: { title: `by ${name}` } },
        ]),
      ),
      client.call("PUT", `/data/collections/posts/${ids[0]}`, { author }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await read(ids[0] ?? "")).data).toMatchObject({ author, version: 6 });
  });

  it("never use a unique value twice", async () => {
    const before = (await total()) ?? 0;
    const one = () =>
      bulk([
        { op: "create", data: { title: "x" } },
        { op: "create", data: { title: "x", slug: `${round}-once` } },
      ]);
    const statuses = (await Promise.all([one(), one(), one()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409]);
    expect(await total()).toBe(before + 2);
  });
});
