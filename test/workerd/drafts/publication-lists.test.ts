/** Lists by what records say of their publication, and the first date of it (RULES 3.4, 3.14). */
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { DRAFT_FIELDS } from "../../../src/content/model/publication.ts";
import { parseSort } from "../../../src/edge/records/read/selection.ts";
import { modelOf, type ModelRow } from "../../../src/content/model/model.ts";
import { database, toQuery } from "../../../src/edge/storage/database/database.ts";
import { listStatement } from "../../../src/edge/storage/lists/record-list.ts";
import { Client } from "../support/api.ts";
import { FIELDS, makePosts, makePublished, POSTS, publish, titles, unpublish } from "../support/drafts.ts";
import { bindings } from "../support/rows.ts";

type Titled = { title: string }[];
const DRAFTS = `${POSTS}?status=draft`;

/** Sets the times of a record, draft and published content, as if the test had taken days. */
async function setTimes(id: string, publishedAt: number, first: number | null): Promise<void> {
  await bindings.DB.prepare(
    "UPDATE records SET published_at = ?2, first_published_at = ?3 WHERE id = ?1 AND published_version IS NOT NULL",
  )
    .bind(id, publishedAt, first)
    .run();
}

const list = async (client: Client, path: string): Promise<string[]> =>
  titles(await client.call<Titled>("GET", path));

async function makeFour(): Promise<{ client: Client; ids: Record<"a" | "b" | "c" | "d", string> }> {
  const client = await makePosts();
  const ids = {
    a: await makePublished(client, { title: "a" }),
    b: await makePublished(client, { title: "b" }),
    c: await makePublished(client, { title: "c" }),
    d: await client.create("posts", { title: "d" }),
  };
  await setTimes(ids.a, 3_000, 1_000);
  await setTimes(ids.b, 1_000, 500);
  // A row from before there was a first date.
  await setTimes(ids.c, 2_000, null);
  await client.call("PUT", `${POSTS}/${ids.b}`, { n: 1 });
  return { client, ids };
}

describe("a list", () => {
  it("is filtered by status, and by the times of publication", async () => {
    const { client, ids } = await makeFour();
    await publish(client, ids.d, { at: "2999-01-01T00:00:00Z" });
    for (const [filter, expected] of [
      ["[status][eq]=draft", ["d"]],
      ["[status][eq]=changed", ["b"]],
      ["[status][in]=published,changed", ["c", "b", "a"]],
      ["[status][ne]=published", ["d", "b"]],
      ["[publishedAt][null]=true", ["d"]],
      ["[publishedAt][gte]=1970-01-01T00:00:02Z", ["c", "a"]],
      ["[firstPublishedAt][lt]=1970-01-01T00:00:01Z", ["b"]],
      ["[firstPublishedAt][eq]=1970-01-01T00:00:02Z", ["c"]],
      ["[publishAt][null]=false", ["d"]],
      ["[unpublishAt][null]=false", []],
      ["[or][0][status][eq]=draft&filter[or][1][title][eq]=a", ["d", "a"]],
    ] as const) {
      expect([filter, await list(client, `${DRAFTS}&filter${filter}`)]).toEqual([filter, expected]);
    }
    expect(await list(client, `${POSTS}?filter[status][eq]=published`)).toEqual(["c", "b", "a"]);
    expect(await list(client, `${POSTS}?filter[status][eq]=changed`)).toEqual([]);
    expect((await client.call("GET", `${DRAFTS}&filter[status][eq]=draft&count=true`)).meta.total).toBe(1);
    for (const filter of [
      "[status][eq]=nope",
      "[status][gt]=draft",
      "[status][contains]=d",
      "[publishedAt][eq]=x",
    ]) {
      expect([filter, (await client.call("GET", `${DRAFTS}&filter${filter}`)).status]).toEqual([filter, 400]);
    }
  });

  it("is filtered through a relation by them", async () => {
    const { client, ids } = await makeFour();
    await client.create("posts", { title: "e", friend: ids.d });
    expect(await list(client, `${DRAFTS}&filter[friend.status][eq]=draft`)).toEqual(["e"]);
    expect(await list(client, `${DRAFTS}&filter[friend.publishedAt][null]=false`)).toEqual([]);
  });

  it("is sorted by them, page by page, with null last in ascending order", async () => {
    const { client } = await makeFour();
    for (const [sort, expected] of [
      ["publishedAt", ["b", "c", "a", "d"]],
      ["-publishedAt", ["d", "a", "c", "b"]],
      ["firstPublishedAt", ["b", "a", "c", "d"]],
      ["status,title", ["b", "d", "a", "c"]],
      ["-firstPublishedAt,title", ["d", "c", "a", "b"]],
    ] as const) {
      for (const limit of [1, 2, 100]) {
        const found: string[] = [];
        let cursor: string | null = "";
        while (cursor !== null) {
          const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
          const page = await client.call<Titled>("GET", `${DRAFTS}&sort=${sort}&limit=${limit}${after}`);
          found.push(...titles(page));
          cursor = page.meta.nextCursor;
        }
        expect([sort, limit, found]).toEqual([sort, limit, expected]);
      }
    }
    expect(await list(client, `${POSTS}?sort=-publishedAt`)).toEqual(["a", "c", "b"]);
    expect(await list(client, `${POSTS}?sort=-firstPublishedAt`)).toEqual(["c", "a", "b"]);
  });

  it("of published records in order of publication walks an index", async () => {
    const { client } = await makeFour();
    const db = database(bindings.DB);
    const row = await db.get<ModelRow & { type_model: "collections" }>(
      sql`SELECT * FROM models WHERE space_id = ${client.space.id}`,
    );
    const model = modelOf({ ...row, typeModel: row.type_model });
    for (const name of ["publishedAt", "firstPublishedAt"]) {
      const request = {
        modelId: -model.id,
        conditions: [],
        sorts: parseSort(model, `-${name}`),
        after: null,
        limit: 25,
      };
      const query = toQuery(listStatement(request));
      const plan = await bindings.DB.prepare(`EXPLAIN QUERY PLAN ${query.sql}`)
        .bind(...query.params)
        .all<{ detail: string }>();
      const details = plan.results.map(({ detail }) => detail).join("\n");
      const index = name === "publishedAt" ? "records_by_publication" : "records_by_first_publication";
      // The next line would be a sort, if the index did not have the order.
      expect(details).toContain(`SEARCH r USING INDEX ${index} (model_id=?)\nSCAN page`);
    }
  });
});

describe("the first date of publication", () => {
  it("is kept by what follows, and shown as any field of the service", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "a" });
    const draft = async () => (await client.call("GET", `${POSTS}/${id}?status=draft`)).data;
    expect((await draft())["firstPublishedAt"]).toBeNull();
    const first = (await publish(client, id)).data["firstPublishedAt"];
    expect(first).toBe((await draft())["publishedAt"]);
    await unpublish(client, id);
    expect(await draft()).toMatchObject({ firstPublishedAt: first, publishedAt: null });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await publish(client, id);
    const shown = await client.call("GET", `${POSTS}/${id}?selectFields=firstPublishedAt,publishedAt`);
    expect(shown.data["firstPublishedAt"]).toBe(first);
    expect(shown.data["publishedAt"]).not.toBe(first);
    const whole = await draft();
    expect((await client.call("PUT", `${POSTS}/${id}`, { ...whole, title: "b" })).status).toBe(200);
    const made = await client.call("PUT", `${POSTS}/${id}`, { firstPublishedAt: "2020-01-01T00:00:00.000Z" });
    expect(made.error.details?.map(({ path }) => path)).toEqual(["firstPublishedAt"]);
    await client.call("PUT", `${POSTS}/${id}`, { friend: id });
    const populated = await client.call("GET", `${POSTS}/${id}?status=draft&populate=friend`);
    expect(populated.data["friend"]).toMatchObject({ firstPublishedAt: first });
  });

  it("of a record from before drafts were switched on is its creation", async () => {
    const client = await Client.make();
    await client.model("posts", FIELDS);
    const id = await client.create("posts", { title: "a" });
    await client.call("PUT", "/models/collections/posts", { fields: FIELDS, drafts: true });
    const { data } = await client.call("GET", `${POSTS}/${id}`);
    expect(data["firstPublishedAt"]).toBe(data["createdAt"]);
  });

  it("leaves a field of this name as it is, and lets no new one take it", async () => {
    const client = await Client.make();
    const own = { name: "firstPublishedAt", type: "string" };
    const asked = { typeModel: "collections", name: "posts", fields: [own] };
    expect((await client.call("POST", "/models", asked)).error.details?.[0]?.path).toBe("fields.0.name");
    await client.model("posts", [{ name: "old", type: "string" }]);
    const path = "/models/collections/posts";
    const renamed = await client.call("PUT", path, { fields: [own], rename: { old: "firstPublishedAt" } });
    expect(renamed.status).toBe(400);
    await bindings.DB.prepare(
      "UPDATE models SET fields = replace(fields, '\"old\"', '\"firstPublishedAt\"') WHERE space_id = ?1",
    )
      .bind(client.space.id)
      .run();
    expect((await client.call("PUT", path, { fields: [own], drafts: true })).status).toBe(200);
    const id = await makePublished(client, { firstPublishedAt: "mine" });
    for (const query of ["", "?status=draft", "?selectFields=firstPublishedAt"]) {
      expect((await client.call("GET", `${POSTS}/${id}${query}`)).data["firstPublishedAt"]).toBe("mine");
    }
    const found = await client.call<object[]>(
      "GET",
      `${POSTS}?filter[firstPublishedAt][startsWith]=mi&sort=firstPublishedAt`,
    );
    expect(found.data).toHaveLength(1);
    expect(DRAFT_FIELDS).toContain("firstPublishedAt");
  });
});
