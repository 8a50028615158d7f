/** Records and media name who made and changed them, to callers who may write (RULES 14.6). */
import { beforeEach, describe, expect, it } from "vitest";
import { database } from "../../../src/edge/storage/database/database.ts";
import { Client } from "../support/api.ts";
import { request } from "../support/http.ts";
import { bindings } from "../support/rows.ts";
import { gifOf } from "../support/uploads.ts";
import { sql } from "drizzle-orm";

const LIST = "/data/collections/posts";
const ROOT = { kind: "root", id: "root", name: "root" };

let client: Client;
let keys: Record<"read" | "preview" | "write" | "admin", string>;

beforeEach(async () => {
  client = await Client.make();
  const names = ["read", "preview", "write", "admin"] as const;
  const made = await Promise.all(names.map((name) => client.key(name)));
  keys = Object.fromEntries(names.map((name, index) => [name, made[index]])) as typeof keys;
});

const madeBy = ({ data }: { data: Record<string, unknown> }): unknown[] => [
  (data["createdBy"] as { name: string } | undefined)?.name,
  (data["updatedBy"] as { name: string } | undefined)?.name,
];

describe("a record", () => {
  it("names its actors in every answer to a caller who may write, and in none to others", async () => {
    const fields = [
      { name: "title", type: "string", searchable: true },
      { name: "next", type: "relation", to: "posts" },
    ];
    await client.call("POST", "/models", {
      typeModel: "collections",
      name: "posts",
      fields,
      drafts: true,
      public: true,
    });
    const created = await client.call("POST", LIST, { title: "a" });
    expect(created.data).toMatchObject({ createdBy: ROOT, updatedBy: ROOT });
    const path = `${LIST}/${String(created.data["id"])}`;
    const changed = await client.call(
      "PUT",
      path,
      { title: "b", next: created.data["id"] },
      { key: keys.write },
    );
    expect(madeBy(changed)).toEqual(["root", "write"]);
    await client.call("POST", `${path}/publish`, undefined, { key: keys.admin });
    const first = (reply: { data: unknown }) => ({
      data: (reply.data as Record<string, unknown>[])[0] ?? {},
    });
    const inside = ({ data }: { data: Record<string, unknown> }) => ({
      data: data["next"] as Record<string, unknown>,
    });
    for (const key of [keys.write, keys.admin]) {
      const asked = { key };
      const seen = [
        await client.call("GET", path, undefined, asked),
        await client.call("GET", `${path}?status=draft`, undefined, asked),
        first(await client.call("GET", LIST, undefined, asked)),
        first(await client.call("GET", `${LIST}?search=b`, undefined, asked)),
        inside(await client.call("GET", `${path}?populate=next`, undefined, asked)),
      ];
      for (const one of seen) expect(madeBy(one)).toEqual(["root", "write"]);
    }
    for (const key of [keys.read, keys.preview, null]) {
      const one = await client.call("GET", path, undefined, { key });
      const all = first(await client.call("GET", `${LIST}?populate=next`, undefined, { key }));
      expect([one.status, Object.keys(one.data), Object.keys(all.data)].join()).not.toMatch(
        /createdBy|updatedBy/,
      );
      expect(Object.keys(inside(all).data).join()).not.toMatch(/createdBy|updatedBy/);
    }
    const chosen = await client.call("GET", `${path}?selectFields=title,updatedBy`, undefined, {
      key: keys.write,
    });
    expect(Object.keys(chosen.data).sort()).toEqual(["id", "title", "updatedBy"]);
    const refused = await client.call("GET", `${path}?selectFields=updatedBy`, undefined, { key: keys.read });
    expect(refused.status).toBe(400);
  });

  it("can be sent back as it was read, and takes no other actor", async () => {
    await client.model("posts", [{ name: "title", type: "string" }]);
    const { data } = await client.call("POST", LIST, { title: "a" });
    const path = `${LIST}/${String(data["id"])}`;
    const sent = await client.call("PUT", path, { ...data, title: "b" }, { key: keys.write });
    expect([sent.status, ...madeBy(sent)]).toEqual([200, "root", "write"]);
    const other = { ...ROOT, name: "me" };
    expect((await client.call("PUT", path, { createdBy: other }, { key: keys.write })).status).toBe(400);
    expect((await client.call("POST", LIST, { createdBy: ROOT })).status).toBe(400);
  });

  it("has null where its row is older than these fields", async () => {
    await client.model("posts", [{ name: "title", type: "string" }]);
    const id = await client.create("posts", { title: "a" });
    await database(bindings.DB).run(
      sql`UPDATE records SET created_by = NULL, updated_by = NULL WHERE id = ${id}`,
    );
    const { data } = await client.call("GET", `${LIST}/${id}`);
    expect(data).toMatchObject({ createdBy: null, updatedBy: null });
  });

  it("keeps a field of this name that its model had before, without the service's own", async () => {
    await client.model("posts", [{ name: "createdByX", type: "string" }]);
    await database(bindings.DB).run(sql`UPDATE models SET fields = replace(fields, 'createdByX', 'createdBy')
      WHERE space_id = ${client.space.id}`);
    const { data } = await client.call("POST", LIST, { createdBy: "Ada" });
    expect(data).toMatchObject({ createdBy: "Ada", updatedBy: ROOT });
    const fields = [{ name: "createdBy", type: "string", label: "Author" }];
    expect((await client.call("PUT", "/models/collections/posts", { fields })).status).toBe(200);
  });

  it("of a new model cannot have a field of these names", async () => {
    for (const name of ["createdBy", "updatedBy", "firstPublishedAt"]) {
      const fields = [{ name, type: "string" }];
      const reply = await client.call("POST", "/models", { typeModel: "collections", name: "posts", fields });
      expect([name, reply.status]).toEqual([name, 400]);
    }
  });

  it("names each actor in its history, and a key as before", async () => {
    await client.model("posts", [{ name: "title", type: "string" }]);
    const id = await client.create("posts", { title: "a" });
    await client.call("PUT", `${LIST}/${id}`, { title: "b" }, { key: keys.write });
    const { data } = await client.call<Record<string, unknown>[]>("GET", `${LIST}/${id}/versions`);
    expect(data).toMatchObject([
      { actor: { kind: "key", name: "write" }, key: { name: "write" } },
      { actor: ROOT, key: null },
    ]);
  });
});

describe("a media item", () => {
  it("names its actors to callers who may write alone", async () => {
    const path = `/api/v1/${client.space.name}/media`;
    const headers = { Authorization: `Bearer ${bindings.ROOT_TOKEN}` };
    const sent = await request(path, { method: "POST", headers, body: gifOf(60) });
    const { data } = await sent.json<{ data: { id: string; createdBy: unknown } }>();
    expect(data.createdBy).toEqual(ROOT);
    const changed = await client.call("PATCH", `/media/${data.id}`, { alt: "dot" }, { key: keys.write });
    expect(madeBy(changed)).toEqual(["root", "write"]);
    const list = await client.call<Record<string, unknown>[]>("GET", "/media", undefined, {
      key: keys.admin,
    });
    expect(madeBy({ data: list.data[0] ?? {} })).toEqual(["root", "write"]);
    for (const key of [keys.read, keys.preview]) {
      const one = await client.call("GET", `/media/${data.id}`, undefined, { key });
      expect(Object.keys(one.data).join()).not.toMatch(/createdBy|updatedBy/);
    }
  });
});
