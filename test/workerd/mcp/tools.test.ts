/** The tools of agents: each calls a route with the caller's key (RULES 19.2). */
import { beforeAll, describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { makeMedia } from "../support/rows.ts";
import { use, type Told } from "./support.ts";

let client: Client;
let writer: string;
let reader: string;

const write = (name: string, args: object = {}): Promise<Told> => use(client, writer, name, args);
const keyOf = async (role: string, scopes: object): Promise<string> =>
  (await client.call<{ key: string }>("POST", "/keys", { name: "scoped", role, scopes })).data.key;
const created = async (title: string): Promise<string> =>
  String((await write("create_record", { model: "articles", fields: { title } })).data["id"]);

beforeAll(async () => {
  client = await Client.make();
  await client.call("POST", "/models", {
    typeModel: "collections",
    name: "articles",
    drafts: true,
    fields: [
      { name: "title", type: "string", required: true, searchable: true },
      { name: "rank", type: "number" },
    ],
  });
  await client.model("home", [{ name: "lead", type: "string" }], "pages");
  [writer, reader] = [await client.key("write"), await client.key("read")];
});

describe("tools", () => {
  it("list and describe the models", async () => {
    const { list } = await write("list_models");
    expect(list).toMatchObject([
      { typeModel: "collections", name: "articles", drafts: true, fields: ["title", "rank"] },
      { typeModel: "pages", name: "home" },
    ]);
    const first = await write("list_models", { limit: 1 });
    expect(first.list).toHaveLength(1);
    const second = await write("list_models", { limit: 1, cursor: first.cursor });
    expect(second.list).toMatchObject([{ name: "home" }]);
    const { data, etag } = await write("describe_model", { model: "articles" });
    expect([data["name"], (data["fields"] as object[]).length]).toEqual(["articles", 2]);
    expect(etag).toBeDefined();
  });

  it("create, find, change, publish and trash a record, and restore it", async () => {
    const id = await created("One");
    const asDraft = { model: "articles", status: "draft" };
    const found = await write("find_records", {
      ...asDraft,
      filter: { title: { eq: "One" } },
      or: [{ rank: { null: true } }, { rank: { gt: 3 } }],
      search: "one",
      count: true,
    });
    expect(found.list.map((one) => one["id"])).toEqual([id]);
    expect(
      (await write("find_records", { ...asDraft, filter: { title: { in: ["One", "x"] } } })).list,
    ).toHaveLength(1);
    expect((await write("find_records", { model: "articles" })).list).toEqual([]);
    const { etag } = await write("get_record", { ...asDraft, id });
    const changed = await write("update_record", {
      model: "articles",
      id,
      fields: { rank: 2 },
      ifMatch: etag,
    });
    expect(changed.data).toMatchObject({ title: "One", rank: 2, version: 2, status: "draft" });
    const stale = await write("update_record", { model: "articles", id, fields: { rank: 3 }, ifMatch: 1 });
    expect([stale.isError, stale.error.code]).toEqual([true, "PRECONDITION_FAILED"]);
    const published = await write("publish_record", { model: "articles", id, ifMatch: 2 });
    expect(published.data["status"]).toBe("published");
    const read = await use(client, reader, "get_record", { model: "articles", id, selectFields: ["title"] });
    expect(read.data).toEqual({ id, title: "One" });
    const trashed = await write("trash_record", { model: "articles", id });
    expect(trashed.data).toMatchObject({ id, state: "trashed" });
    expect((await write("get_record", { ...asDraft, id })).error.code).toBe("NOT_FOUND");
    expect((await write("restore", { entryId: id })).data).toEqual({ id, state: "restored" });
  });

  it("read the history of a record, and restore a version", async () => {
    const id = await created("Before");
    await write("update_record", { model: "articles", id, fields: { title: "After" } });
    const { list } = await write("record_history", { model: "articles", id });
    expect(list.map(({ event, version }) => [event, version])).toEqual([
      ["updated", 2],
      ["created", 1],
    ]);
    const old = await write("record_history", { model: "articles", id, version: 1 });
    expect(old.data["record"]).toMatchObject({ title: "Before" });
    const restored = await write("restore", { model: "articles", id, version: 1, ifMatch: 2 });
    expect(restored.data).toMatchObject({ title: "Before", version: 3 });
    const both = await write("restore", { entryId: id, model: "articles", id, version: 1 });
    expect(both.error.code).toBe("VALIDATION_FAILED");
    const asked = { ifMatch: 3, locales: ["en"], dropMissing: false };
    const ofVersion = await write("restore", { entryId: id, ...asked });
    expect(ofVersion.error.code).toBe("VALIDATION_FAILED");
    expect(ofVersion.error.details?.map(({ path }) => path).sort()).toEqual(Object.keys(asked).sort());
  });

  it("write pages by the name of their model", async () => {
    const page = { typeModel: "pages", model: "home", id: "home" };
    expect((await write("update_record", { ...page, fields: { lead: "Hello" } })).data["lead"]).toBe("Hello");
    expect((await write("get_record", page)).data["lead"]).toBe("Hello");
  });

  it("create nothing twice with an idempotency key", async () => {
    const call = { model: "articles", fields: { title: "Once" }, idempotencyKey: "k1" };
    const [first, again] = [await write("create_record", call), await write("create_record", call)];
    expect(again.data["id"]).toBe(first.data["id"]);
  });

  it("find media, and make addresses of pictures", async () => {
    const { id } = await makeMedia(client.space);
    const { list } = await write("find_media", { limit: 100 });
    expect(list.map((one) => one["id"])).toContain(id);
    expect(list[0]).not.toHaveProperty("formats");
    const { data } = await write("picture_url", { mediaId: id, w: 320, fm: "webp" });
    const base = `https://api.test/api/v1/${client.space.name}/pictures/${id}`;
    expect(data).toMatchObject({
      id,
      url: `${base}?w=320&fm=webp`,
      directUrl: `${base}/file?v=1&w=320&fm=webp`,
    });
    const refused = await write("picture_url", { mediaId: id, w: 0 });
    expect(refused.error).toMatchObject({ code: "INVALID_PARAMETER", details: [{ path: "w" }] });
    expect((await write("picture_url", { mediaId: "0".repeat(26) })).error.code).toBe("NOT_FOUND");
  });

  it("count what is in the space", async () => {
    expect(Number((await write("space_usage")).data["records"] && 1)).toBe(1);
  });

  it("do nothing that the key may not, and tell why", async () => {
    const id = await created("Scoped");
    const refused = await use(client, reader, "create_record", { model: "articles", fields: { title: "x" } });
    expect([refused.isError, refused.error.code]).toEqual([true, "FORBIDDEN"]);
    const unpublishing = await keyOf("write", { publish: false });
    const draft = await use(client, unpublishing, "update_record", {
      model: "articles",
      id,
      fields: { rank: 1 },
    });
    expect(draft.isError).toBe(false);
    const publish = await use(client, unpublishing, "publish_record", { model: "articles", id });
    expect(publish.error.code).toBe("FORBIDDEN");
    const elsewhere = await keyOf("write", { models: ["home"], media: "none" });
    expect((await use(client, elsewhere, "list_models")).list.map(({ name }) => name)).toEqual(["home"]);
    for (const [name, args] of [
      ["get_record", { model: "articles", id }],
      ["describe_model", { model: "articles" }],
      ["find_media", {}],
      ["trash_record", { model: "articles", id }],
      ["record_history", { model: "articles", id }],
    ] as const) {
      expect([name, (await use(client, elsewhere, name, args)).error.code]).toEqual([name, "NOT_FOUND"]);
    }
  });

  it("tell of the faults that the route found", async () => {
    const { isError, error } = await write("create_record", {
      model: "articles",
      fields: { rank: "x", more: 1 },
    });
    expect([isError, error.code]).toEqual([true, "VALIDATION_FAILED"]);
    expect(error.details?.map(({ path }) => path).sort()).toEqual(["more", "rank"]);
  });

  it("reach no other route by dots in an id", async () => {
    const admin = await client.key("admin");
    for (const args of [
      { model: "..", id: ".." },
      { model: "articles", id: ".." },
      { model: "articles", id: "a/b" },
      { model: "%2e%2e", id: "." },
    ]) {
      expect((await use(client, admin, "trash_record", args)).error.code).toBe("VALIDATION_FAILED");
    }
    expect((await use(client, admin, "restore", { entryId: ".." })).error.code).toBe("VALIDATION_FAILED");
    expect((await client.call("GET", "/settings")).status).toBe(200);
  });

  it("refuse a number that a double does not hold, and clear no field by it", async () => {
    const id = await created("Exact");
    await write("update_record", { model: "articles", id, fields: { rank: 5 } });
    const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_record","arguments":{"model":"articles","id":"${id}","fields":{"rank":9007199254740993}}}}`;
    const told = await use(client, writer, "update_record", {}, text);
    expect(told.error).toMatchObject({ code: "VALIDATION_FAILED", details: [{ path: "rank" }] });
    expect((await write("get_record", { model: "articles", id, status: "draft" })).data["rank"]).toBe(5);
  });

  it("are named in histories by their key", async () => {
    const id = await created("Named");
    const { list } = await write("record_history", { model: "articles", id });
    expect(list[0]).toMatchObject({ actor: { kind: "key", name: "write" } });
  });
});
