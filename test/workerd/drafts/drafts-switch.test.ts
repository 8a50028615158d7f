/** Drafts switched on and off, and models with drafts changed (RULES 3.2, 3.14). */
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { database } from "../../../src/edge/storage/database/database.ts";
import { Client } from "../support/api.ts";
import { expectConsistent } from "../support/content-crash.ts";
import { FIELDS, makePosts, makePublished, POSTS, publish, titles } from "../support/drafts.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

const db = database(bindings.DB);
const MODEL = "/models/collections/posts";
type Titled = { title: string }[];

const change = (client: Client, body: object) => client.call("PUT", MODEL, { fields: FIELDS, ...body });

const publishedRows = async (): Promise<number> =>
  (await db.get<{ n: number }>(sql`SELECT count(*) AS n FROM records WHERE model_id < 0`)).n;

describe("drafts switched on", () => {
  it("publish all records, trashed ones included", async () => {
    const client = await Client.make();
    await client.model("posts", FIELDS);
    const [first, second] = [
      await client.create("posts", { title: "a", slug: "a", n: 1 }),
      await client.create("posts", { title: "b", slug: "b", n: 2 }),
    ];
    await client.call("PUT", `${POSTS}/${first}`, { n: 5 });
    await client.call("DELETE", `${POSTS}/${second}`);
    expect((await change(client, { drafts: true })).data).toMatchObject({ drafts: true, version: 2 });
    const read = await client.call("GET", `${POSTS}/${first}`);
    expect(read.data).toMatchObject({ status: "published", version: 2, n: 5 });
    expect(titles(await client.call<Titled>("GET", `${POSTS}?filter[n][eq]=5&sort=title`))).toEqual(["a"]);
    await client.call("POST", `/trash/${second}/restore`);
    expect((await client.call("GET", `${POSTS}/${second}`)).data).toMatchObject({
      title: "b",
      status: "published",
    });
    expect(titles(await client.call<Titled>("GET", `${POSTS}?filter[n][lt]=5`))).toEqual(["b"]);
    expect((await client.call("POST", POSTS, { title: "c", slug: "b" })).status).toBe(409);
    await expectConsistent();
  });

  it("are refused while a field has a reserved name, and refuse such a field afterwards", async () => {
    const client = await Client.make();
    const fields = [...FIELDS, { name: "status", type: "string" }];
    await client.model("posts", fields);
    const refused = await client.call("PUT", MODEL, { fields, drafts: true });
    expect([refused.status, refused.error.details?.[0]?.path]).toEqual([409, "status"]);
    const renamed = { fields: [...FIELDS, { name: "state", type: "string" }], rename: { status: "state" } };
    expect((await client.call("PUT", MODEL, { ...renamed, drafts: true })).status).toBe(200);
    expect(
      (await change(client, { fields: [...FIELDS, { name: "publishAt", type: "string" }] })).status,
    ).toBe(400);
    const model = { typeModel: "collections", name: "other", fields: [{ name: "status", type: "string" }] };
    expect((await client.call("POST", "/models", { ...model, drafts: true })).status).toBe(400);
    expect((await client.call("POST", "/models", model)).status).toBe(201);
  });
});

describe("drafts switched off", () => {
  it("are refused while a draft is not published, even one in the trash", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "a" });
    expect((await change(client, { drafts: false })).status).toBe(409);
    await client.call("DELETE", `${POSTS}/${id}`);
    const refused = await change(client, { drafts: false });
    expect([refused.status, refused.error.details?.[0]?.path]).toEqual([409, "drafts"]);
    await client.call("POST", `/trash/${id}/restore`);
    await publish(client, id);
    expect((await change(client, { drafts: false })).data).toMatchObject({ drafts: false });
    expect(Object.keys((await client.call("GET", `${POSTS}/${id}`)).data)).not.toContain("status");
    expect((await client.call("PUT", `${POSTS}/${id}`, { title: "b" })).status).toBe(200);
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toMatchObject({ title: "b", version: 2 });
    await runSweep(Date.now() + 1000);
    await expectConsistent();
  });

  it("leave no published content behind, and can be switched on again before it is removed", async () => {
    const client = await makePosts();
    const id = await makePublished(client, { title: "a", n: 1 });
    const before = await publishedRows();
    await change(client, { drafts: false });
    await client.call("PUT", `${POSTS}/${id}`, { title: "b" });
    await change(client, { drafts: true });
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toMatchObject({
      title: "b",
      status: "published",
    });
    for (let run = 0; run < 3; run++) await runSweep(Date.now() + 1000);
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toMatchObject({ title: "b" });
    await change(client, { drafts: false });
    for (let run = 0; run < 3; run++) await runSweep(Date.now() + 1000);
    expect(await publishedRows()).toBe(before - 1);
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toMatchObject({ title: "b" });
    await expectConsistent();
  });
});

describe("a model with drafts", () => {
  it("changes for drafts and published contents alike", async () => {
    const client = await makePosts();
    const id = await makePublished(client, { title: "published", n: 1 });
    await client.call("PUT", `${POSTS}/${id}`, { title: "draft", n: 20 });
    const fields = (extra: object[]) => [...FIELDS.slice(0, 2), ...extra, ...FIELDS.slice(3)];
    const tight = await change(client, { fields: fields([{ name: "n", type: "number", max: 10 }]) });
    expect([tight.status, tight.error.details?.[0]?.path]).toEqual([409, "n"]);
    const low = await change(client, { fields: fields([{ name: "n", type: "number", min: 10 }]) });
    expect(low.status).toBe(409);
    expect((await change(client, { fields: fields([]) })).status).toBe(409);
    const added = fields([
      { name: "n", type: "number" },
      { name: "k", type: "number", default: 7, required: true },
    ]);
    expect((await change(client, { fields: added })).status).toBe(200);
    for (const status of ["published", "draft"]) {
      const found = await client.call<Titled>("GET", `${POSTS}?filter[k][eq]=7&sort=n&status=${status}`);
      expect(titles(found)).toEqual([status]);
    }
    expect((await change(client, { fields: FIELDS, drop: ["k"] })).status).toBe(200);
    await runSweep(Date.now() + 3 * 86_400_000);
    await expectConsistent();
  });

  it("demands required fields only of published contents", async () => {
    const client = await makePosts();
    await client.create("posts", { slug: "x" });
    const must = (name: string) => [
      ...FIELDS.slice(0, 2),
      { name, type: "number", required: true },
      ...FIELDS.slice(3),
    ];
    expect((await change(client, { fields: must("n") })).status).toBe(200);
    expect(
      (await change(client, { fields: [...must("n"), { name: "z", type: "string", required: true }] }))
        .status,
    ).toBe(200);
    const id = await client.create("posts", { title: "a", n: 1 });
    expect((await publish(client, id)).status).toBe(400);
    await client.call("PUT", `${POSTS}/${id}`, { z: "z" });
    expect((await publish(client, id)).status).toBe(200);
    const more = [...must("n"), { name: "z", type: "string" }, { name: "y", type: "string", required: true }];
    expect((await change(client, { fields: more })).status).toBe(409);
  });

  it("is removed with its space", async () => {
    const client = await makePosts();
    await makePublished(client, { title: "a" });
    const count = () =>
      db.get<{ n: number }>(sql`SELECT count(*) AS n FROM records WHERE space_id = ${client.space.id}`);
    await client.call("DELETE", "", { confirm: client.space.name });
    for (let run = 0; run < 4; run++) await runSweep(Date.now());
    expect((await count()).n).toBe(0);
  });
});
