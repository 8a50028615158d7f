/** Operations of a bulk build on those before them, and a fault names its operation (RULES 3.16). */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Client, type Reply } from "../support/api.ts";
import { expectConsistent } from "../support/content-crash.ts";

let client: Client;
let ids: string[];

const POSTS = "/data/collections/posts";

const bulk = (operations: unknown, of = POSTS): Promise<Reply<{ id: string }[]>> =>
  client.call("POST", `${of}/bulk`, { operations });

const paths = (reply: Reply<unknown>): string[] => (reply.error.details ?? []).map(({ path }) => path);

const messages = (reply: Reply<unknown>): string[] =>
  (reply.error.details ?? []).map(({ message }) => message);

const everything = async (): Promise<unknown> =>
  (await client.call("GET", `${POSTS}?limit=100&sort=createdAt&status=draft`)).data;

const FIELDS = [
  { name: "slug", type: "string", unique: true },
  { name: "code", type: "number", unique: true },
  { name: "title", type: "string" },
  { name: "r", type: "relation", to: "posts" },
  { name: "rs", type: "relation", to: "posts", multiple: true },
];

beforeAll(async () => {
  client = await Client.make();
  const drafts = { typeModel: "collections", name: "posts", fields: FIELDS, drafts: true };
  expect((await client.call("POST", "/models", drafts)).status).toBe(201);
  const home = { typeModel: "pages", name: "home", fields: [{ name: "title", type: "string" }] };
  expect((await client.call("POST", "/models", home)).status).toBe(201);
});

let round = 0;
const slug = (name: string | number): string => `${round}-${name}`;

beforeEach(async () => {
  round += 1;
  ids = [];
  for (const n of [0, 1, 2, 3])
    ids.push(await client.create("posts", { slug: slug(n), code: round * 10 + n }));
});

describe("a reference", () => {
  it("to a record that an earlier operation deletes is refused", async () => {
    const before = await everything();
    const reply = await bulk([
      { op: "delete", id: ids[0] },
      { op: "create", data: { r: ids[0] } },
      { op: "update", id: ids[1], data: { rs: [ids[2], ids[0]] } },
    ]);
    expect([reply.status, paths(reply)]).toEqual([400, ["operations.1.data.r", "operations.2.data.rs"]]);
    expect(await everything()).toEqual(before);
  });

  it("to a record that a later operation deletes is made, as one at a time", async () => {
    const reply = await bulk([
      { op: "create", data: { r: ids[0] } },
      { op: "update", id: ids[1], data: { rs: [ids[0]] } },
      { op: "delete", id: ids[0] },
    ]);
    expect(reply.status).toBe(200);
  });

  it("that the record held before stays", async () => {
    await client.call("PUT", `${POSTS}/${ids[1]}`, { r: ids[0] });
    const reply = await bulk([
      { op: "delete", id: ids[0] },
      { op: "update", id: ids[1], data: { r: ids[0], title: "kept" } },
    ]);
    expect(reply.status).toBe(200);
  });
});

describe("a unique value", () => {
  it("that another record has is told of its operation, whatever the others do", async () => {
    const before = await everything();
    const reply = await bulk([
      { op: "create", data: { slug: slug("new") } },
      { op: "update", id: ids[0], data: { title: "changed" } },
      { op: "delete", id: ids[1] },
      { op: "publish", id: ids[3] },
      { op: "create", data: { slug: slug(2), title: "mine" } },
    ]);
    expect([reply.status, reply.error.code, paths(reply)]).toEqual([
      409,
      "CONFLICT",
      ["operations.4.data.slug"],
    ]);
    expect(reply.error.message).toContain("Operation 4");
    expect(messages(reply)[0]).toContain(ids[2]);
    expect(await everything()).toEqual(before);
  });

  it("that two operations give is told of the later one, and names the earlier", async () => {
    const reply = await bulk([
      { op: "delete", id: ids[0] },
      { op: "create", data: { slug: slug("twice"), code: 5 } },
      { op: "update", id: ids[1], data: { slug: slug("twice") } },
      { op: "create", data: { code: 5 } },
    ]);
    expect([reply.status, paths(reply)]).toEqual([409, ["operations.2.data.slug", "operations.3.data.code"]]);
    for (const message of messages(reply)) expect(message).toContain("operation 1");
  });

  it("that an earlier operation frees can be taken", async () => {
    const reply = await bulk([
      { op: "delete", id: ids[0] },
      { op: "update", id: ids[1], data: { slug: slug("moved") } },
      { op: "create", data: { slug: slug(0) } },
      { op: "update", id: ids[2], data: { slug: slug(1) } },
      { op: "create", data: { slug: slug(2), code: round * 10 } },
    ]);
    expect([reply.status, reply.error]).toEqual([200, undefined]);
    await expectConsistent();
  });

  it("that a later operation frees cannot", async () => {
    const reply = await bulk([
      { op: "create", data: { slug: slug(0) } },
      { op: "delete", id: ids[0] },
    ]);
    expect([reply.status, paths(reply)]).toEqual([409, ["operations.0.data.slug"]]);
  });

  it("of a published content is held until it is published anew or not any more", async () => {
    const [a, b] = ids;
    await client.call("POST", `${POSTS}/${a}/publish`);
    const taking = { op: "create", data: { slug: slug(0) } };
    const changed = { op: "update", id: a, data: { slug: slug("draft") } };
    const held = await bulk([changed, { op: "delete", id: b }, taking]);
    expect([held.status, paths(held)]).toEqual([409, ["operations.2.data.slug"]]);
    expect((await bulk([changed])).status).toBe(200);
    const still = await bulk([{ op: "delete", id: b }, taking]);
    expect([still.status, paths(still)]).toEqual([409, ["operations.1.data.slug"]]);
    expect((await bulk([{ op: "unpublish", id: a }, taking])).status).toBe(200);
    await expectConsistent();
  });

  it("of two fields is told of the field that is taken, not of the one that was freed", async () => {
    const reply = await bulk([
      { op: "delete", id: ids[0] },
      { op: "create", data: { slug: slug(0), code: round * 10 + 1 } },
    ]);
    expect([reply.status, paths(reply)]).toEqual([409, ["operations.1.data.code"]]);
  });
});
