/** Models with more records than a statement may change (RULES 3.2, 10.11): a change of them writes in slices. */
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { modelOf, type Model } from "../../../src/content/model/model.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { readModel } from "../../../src/edge/storage/models/models.ts";
import { addIndexRows } from "../../../src/edge/storage/records/record-index.ts";
import { takeSlice } from "../../../src/edge/models/change/4-work-in-background.ts";
import { takeModelChanges } from "../../../src/edge/sweep/model-changes.ts";
import { modelChangesToDo } from "../../../src/edge/storage/models/background-changes.ts";
import { CONTENT, SLICE } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { expectConsistent } from "../support/content/content-crash.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

cleanBetweenTests();

const db = database(bindings.DB);
const LIMITS = CONTENT as { -readonly [Name in keyof typeof CONTENT]: number };
const real = { ...CONTENT };
afterEach(() => Object.assign(LIMITS, real));

const PATH = "/models/collections/posts";
const POSTS = "/data/collections/posts";
const title = { name: "title", type: "string" };
const slug = { name: "slug", type: "string" };
const one = { name: "one", type: "relation", to: "posts" };
const any = { name: "any", type: "json" };
const FIELDS = [title, slug, one, any];
/** More than two slices of anything, and a rest. */
const RECORDS = 2 * SLICE.rows + 100;

let client: Client;
let model: Model;
beforeEach(async () => {
  client = await Client.make();
  await client.model("posts", FIELDS);
  const row = await readModel(db, client.space.id, "collections", "posts");
  model = modelOf(row!);
  const [first, second, third, fourth] = model.fields.map(({ no }) => String(no));
  await db.run(sql`/* fixture */ WITH RECURSIVE i(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n + 1 < ${RECORDS})
    INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at)
    SELECT ${model.id}, ${client.space.id}, printf('R%025d', n),
      json_object(${first}, 't' || n, ${second}, 's' || n, ${third}, NULL, ${fourth}, 'j' || n), '{}', 40, 1, n, n FROM i`);
  for (const statement of addIndexRows(model.fields, sql`r.model_id = ${model.id}`))
    await db.run(sql`/* fixture */ ${statement}`);
});

const change = (fields: object[], more: object = {}) =>
  client.call<{ state: string; checked: number; records: number }>("PUT", PATH, { fields, ...more });
const state = async () =>
  (await client.call<{ state: string; checked: number; conflicts: unknown[] }>("GET", `${PATH}/change`)).data;
const found = async (query: string): Promise<number | undefined> =>
  (await client.call<object[]>("GET", `${POSTS}?${query}&count=true&limit=1`)).meta.total;
const count = (from: string): Promise<number | null> =>
  bindings.DB.prepare(`SELECT count(*) AS n FROM ${from}`).first<number>("n");

/** Works on one slice of the change, as a run of the sweep does that is killed after it. */
async function slice(): Promise<boolean> {
  const [due] = await modelChangesToDo(db, 1);
  if (due) await takeSlice(db, due, Date.now());
  return due !== undefined;
}

describe("a change at once", () => {
  it("writes data and index rows of all records anew, where a field becomes a list or ceases to be json", async () => {
    const list = { ...one, multiple: true };
    const string = { ...any, type: "string" };
    expect((await change([title, slug, list, string])).status).toBe(200);
    expect(await found("filter[any][eq]=j7")).toBe(1);
    expect(await count(`records WHERE json_type(data, '$."${model.fields[2]?.no ?? 0}"') = 'array'`)).toBe(
      RECORDS,
    );
    await expectConsistent();
    expect((await change(FIELDS)).status).toBe(200);
    await expectConsistent();
  });

  it("makes a field unique, refuses a value that is there twice, and leaves nothing of it", async () => {
    await client.call("PUT", `${POSTS}/R${"7".padStart(25, "0")}`, { slug: "s8" });
    expect((await change([title, { ...slug, unique: true }, one, any])).status).toBe(409);
    expect(await count("record_uniques")).toBe(0);
    expect((await change([{ ...title, unique: true }, slug, one, any])).status).toBe(200);
    expect(await count("record_uniques")).toBe(RECORDS);
    await expectConsistent();
  });

  it("leaves the unique values of a field that is not unique any more to the sweep", async () => {
    const unique = [{ ...title, unique: true }, slug, one, any];
    await change(unique);
    expect((await change(FIELDS)).status).toBe(200);
    expect((await runSweep(Date.now())).droppedFields).toBe(1);
    expect(await count("record_uniques")).toBe(0);
    await expectConsistent();
    expect((await client.call("POST", POSTS, { title: "t7" })).status).toBe(201);
    expect((await change(unique)).error.message).toContain("cannot become unique");
  });

  it("makes a field unique again before the sweep has removed its earlier unique values", async () => {
    const unique = [{ ...title, unique: true }, slug, one, any];
    for (const fields of [unique, FIELDS, unique]) expect((await change(fields)).status).toBe(200);
    expect(await count("record_uniques")).toBe(RECORDS);
    await runSweep(Date.now());
    expect(await count("record_uniques")).toBe(RECORDS);
    await expectConsistent();
    expect((await client.call("POST", POSTS, { title: "t7" })).status).toBe(409);
  });

  it("is refused where so many records cannot be written by one batch", async () => {
    LIMITS.rewrittenRecordsMax = RECORDS;
    expect((await change([title, slug, { ...one, multiple: true }, any])).status).toBe(200);
    LIMITS.rewrittenRecordsMax = RECORDS - 1;
    const refused = await change(FIELDS);
    expect([refused.status, refused.error.details?.[0]?.path]).toEqual([409, "one"]);
    expect(refused.error.message).toContain(`over ${RECORDS - 1} records`);
  });
});

describe("a change in the background", () => {
  it("makes a field unique if one batch may not write so many records", async () => {
    LIMITS.rewrittenRecordsMax = RECORDS - 1;
    expect((await change([{ ...title, unique: true }, slug, one, any])).status).toBe(202);
    while (await slice());
    expect(await state()).toMatchObject({ state: "done", checked: RECORDS });
    expect(await count("record_uniques")).toBe(RECORDS);
    await expectConsistent();
  });

  it("writes the index rows of new fields, one slice a run, beside writes", async () => {
    const more = [
      { name: "size", type: "number", default: 3 },
      { name: "tags", type: "media", multiple: true },
    ];
    LIMITS.indexedRowsMax = 2 * RECORDS;
    const dry = await client.call<{ inBackground: boolean }>("PUT", `${PATH}?dryRun=true`, {
      fields: [...FIELDS, ...more],
    });
    expect(dry.data.inBackground).toBe(false);
    LIMITS.indexedRowsMax = 2 * RECORDS - 1;
    const asked = await change([...FIELDS, ...more]);
    expect([asked.status, asked.data.records]).toEqual([202, RECORDS]);
    let slices = 0;
    while (await slice()) {
      slices += 1;
      if (slices === 4) {
        expect((await state()).checked).toBeGreaterThan(0);
        await client.create("posts", { title: "new" });
        await client.call("DELETE", `${POSTS}/R${"3".padStart(25, "0")}`);
      }
    }
    expect(slices).toBeGreaterThan((2 * RECORDS) / SLICE.rows);
    expect((await state()).state).toBe("done");
    expect(await found("filter[size][eq]=3")).toBe(RECORDS);
    await runSweep(Date.now() + 2 * 86_400_000);
    expect(await found("filter[size][eq]=3")).toBe(RECORDS);
    await expectConsistent();
  });

  it("leaves no index row of new fields when it is withdrawn", async () => {
    LIMITS.indexedRowsMax = 1;
    await change([...FIELDS, { name: "size", type: "number" }]);
    for (let n = 0; n < 4; n++) await slice();
    const rows = await count("record_values");
    expect(rows).toBeGreaterThan(4 * RECORDS);
    expect((await client.call("DELETE", `${PATH}/change`)).status).toBe(200);
    await runSweep(Date.now() + 2 * 86_400_000);
    expect(await count("record_values")).toBe(4 * RECORDS);
    expect(await count("doomed_fields")).toBe(0);
    await expectConsistent();
  });

  it("publishes the records before drafts are switched on, those too that are written meanwhile", async () => {
    LIMITS.publishedRecordsMax = RECORDS - 1;
    const asked = await change(FIELDS, { drafts: true });
    expect(asked.status).toBe(202);
    const changed = `${POSTS}/R${"5".padStart(25, "0")}`;
    for (let n = 0; n < 3; n++) await slice();
    await client.call("PUT", changed, { title: "changed" });
    await client.call("DELETE", `${POSTS}/R${"6".padStart(25, "0")}`);
    const made = await client.create("posts", { title: "made" });
    expect(await takeModelChanges(db, Date.now(), (event) => expect(event).toEqual(null))).toBeGreaterThan(3);
    expect(await state()).toMatchObject({ state: "done" });
    expect((await client.call(`GET`, PATH)).data["drafts"]).toBe(true);
    expect((await client.call("GET", changed)).data["title"]).toBe("changed");
    expect((await client.call("GET", `${POSTS}/${made}`)).status).toBe(200);
    expect(await count("records WHERE model_id < 0 AND deleted_at IS NULL")).toBe(RECORDS);
    expect(await count("model_change_touches")).toBe(0);
    await runSweep(Date.now() + 2 * 86_400_000);
    expect(await count("records WHERE model_id < 0 AND deleted_at IS NULL")).toBe(RECORDS);
    await expectConsistent();
  });
});

describe("a switch of drafts at once", () => {
  it("publishes all records, and the sweep removes the published contents when drafts are switched off", async () => {
    expect((await change(FIELDS, { drafts: true })).status).toBe(200);
    expect(await count("records WHERE model_id < 0")).toBe(RECORDS);
    await expectConsistent();
    expect((await change(FIELDS, { drafts: false })).status).toBe(200);
    for (let run = 0; run < 3 && (await count("doomed_fields")) !== 0; run++) await runSweep(Date.now());
    expect(await count("records WHERE model_id < 0")).toBe(0);
    await expectConsistent();
  });
});
