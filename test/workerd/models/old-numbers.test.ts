/** Index rows of wide numbers as earlier versions wrote them, and the migration that mends them. */
import type { D1Migration } from "cloudflare:test";
import { expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { expectConsistent } from "../support/content-crash.ts";
import { walksIn } from "../support/plans.ts";
import { bindings } from "../support/rows.ts";

const { DB, TEST_MIGRATIONS } = bindings as unknown as { DB: D1Database; TEST_MIGRATIONS: D1Migration[] };
const WIDE = 1234567890123456800;
const NS = "/data/collections/ns";

const mending = (): string[] =>
  TEST_MIGRATIONS.filter(({ name }) => name.startsWith("0013"))
    .flatMap(({ queries }) => queries)
    .filter((query) => query.includes("UPDATE"));

/** Makes integers of the digits, as SQLite does where nothing asks for a double. */
const asBefore = (): Promise<unknown> =>
  DB.batch(
    ["record_values", "record_uniques"].map((table) =>
      DB.prepare(`UPDATE ${table} SET value = CAST(CASE WHEN value < 0 THEN '-' ELSE '' END || '${WIDE}' AS INTEGER)
        WHERE typeof(value) = 'real' AND abs(value) > 9007199254740992`),
    ),
  );

it("finds, pages and keeps unique what was stored before", async () => {
  const client = await Client.make();
  const fields = [
    { name: "n", type: "number" },
    { name: "code", type: "number", unique: true },
    { name: "text", type: "string" },
  ];
  const model = { typeModel: "collections", name: "ns", fields, drafts: true };
  expect((await client.call("POST", "/models", model)).status).toBe(201);
  const ids = [
    await client.create("ns", { n: WIDE, code: WIDE, text: String(WIDE) }),
    await client.create("ns", { n: WIDE, code: -WIDE }),
    await client.create("ns", { n: 7, code: 7 }),
  ];
  for (const id of ids) expect((await client.call("POST", `${NS}/${id}/publish`)).status).toBe(200);
  const found = async (): Promise<number[]> => {
    const queries = ["draft", "published"].flatMap((status) =>
      [
        `filter[n][eq]=${WIDE}`,
        `filter[code][eq]=${WIDE}`,
        `filter[code][eq]=-${WIDE}`,
        "filter[n][gt]=1",
      ].map((query) => `${NS}?${query}&status=${status}`),
    );
    const replies = await Promise.all(queries.map((query) => client.call<unknown[]>("GET", query)));
    return replies.map(({ data }) => data.length);
  };
  const right = [2, 1, 1, 3, 2, 1, 1, 3];
  expect(await found()).toEqual(right);
  await asBefore();
  expect(await found()).toEqual([0, 0, 0, 3, 0, 0, 0, 3]);
  expect(mending()).toHaveLength(4);
  for (const query of mending()) {
    const { results } = await DB.prepare(`EXPLAIN QUERY PLAN ${query}`).all<{ detail: string }>();
    const plan = results.map(({ detail }) => detail);
    // Each model is looked at; its records are sought by field and value.
    expect(walksIn(plan)).toEqual(["SCAN m"]);
  }
  await DB.batch(mending().map((query) => DB.prepare(query)));
  expect(await found()).toEqual(right);
  expect((await client.call("POST", NS, { code: WIDE })).error.details).toMatchObject([{ path: "code" }]);
  await expectConsistent();
});
