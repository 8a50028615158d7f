/**
 * Changes of a space of 100,000 records in two locales, while it is read and written: a further locale, a field that
 * becomes localized, and a change of a component that all records hold. No change touches a record, and what has to look
 * at all of them does so in slices.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { fillLocales } from "../../../scripts/bench/content/locale-data.ts";
import { idOf } from "../../../scripts/bench/content/data.ts";
import { takeSlice } from "../../../src/edge/models/change/4-work-in-background.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { modelChangesToDo } from "../../../src/edge/storage/models/background-changes.ts";
import { CONTENT } from "../../../src/limits.ts";
import { rounds } from "../../support/ring.ts";
import { Client } from "../support/api.ts";
import { countedCall, countingDatabase, noCosts } from "../support/counted.ts";
import { bindings } from "../support/rows.ts";

/** Records in a statement, whose rows with those of indexes D1 takes at once. */
const FILLED_AT_ONCE = 250;
/** One more than a request looks at. */
const RECORDS = rounds(301, 100_001);
/** The rows that a statement of D1 may change, with those of indexes. */
const ROWS_AT_ONCE_MAX = 5000;
/** The rows that a change of settings or of a model writes: its own, its event, and what is noted for later. */
const FEW_ROWS = 40;
/** The slices beside which editors write. The change ends once none has written since its last look. */
const WRITTEN_SLICES = 5;
const LIMITS = CONTENT as { checkedRecordsMax: number; checkedRecordsBatch: number };
const real = { ...LIMITS };
const POSTS = "/data/collections/posts";
const title = { name: "title", type: "string", localized: true, searchable: true };
const slug = { name: "slug", type: "string" };
const views = { name: "views", type: "number" };
const cta = { name: "cta", type: "component", component: "cta" };

let client: Client;
let space: string;
beforeAll(async () => {
  if (RECORDS < real.checkedRecordsMax)
    Object.assign(LIMITS, { checkedRecordsMax: RECORDS - 1, checkedRecordsBatch: 50 });
  client = await Client.make();
  space = `/api/v1/${client.space.name}`;
  await setLocales("en", "de");
  await client.model("cta", [{ name: "label", type: "string" }], "components");
  await client.model("posts", [title, slug, views, cta]);
  const first = { title: { en: "first", de: "first" }, slug: "first", cta: { label: "Buy" } };
  expect((await client.call("POST", `${POSTS}?locale=all`, first)).status).toBe(201);
  const target = { space: client.space.name, model: "posts", code: "en" };
  await fillLocales(bindings.DB, target, 1, RECORDS, FILLED_AT_ONCE);
});
afterAll(() => {
  Object.assign(LIMITS, real);
});

const setLocales = (...codes: string[]) =>
  countedCall("PATCH", `/api/v1/${client.space.name}/settings`, { locales: codes.map((code) => ({ code })) });

/** Returns what stays the same in a change that touches no record. */
async function records(): Promise<unknown> {
  return bindings.DB.prepare(
    `SELECT count(*) AS n, sum(r.version) AS versions, max(r.updated_at) AS changed, sum(length(r.data)) AS bytes
    FROM records r JOIN models m ON m.id = r.model_id WHERE m.space_id = ?1`,
  )
    .bind(client.space.id)
    .first();
}

const one = (n: number): string => `${POSTS}/${idOf("R", n)}`;
const total = async (query: string): Promise<number> =>
  (await client.call("GET", `${POSTS}?count=true&limit=1&${query}`)).meta.total ?? 0;

it("adds a locale by one row", async () => {
  const before = await records();
  const added = await setLocales("en", "de", "fr");
  expect(added.status).toBe(200);
  expect(added.rowsWritten).toBeLessThan(FEW_ROWS);
  expect(added.rowsRead).toBeLessThan(FEW_ROWS);
  expect(await records()).toEqual(before);
  expect((await client.call("GET", `${one(7)}?locale=fr`)).data).toMatchObject({ title: null, slug: "en-7" });
  expect((await client.call("PUT", `${one(7)}?locale=fr`, { title: "Sept" })).status).toBe(200);
  expect((await client.call("GET", `${POSTS}?locale=fr&filter[title][eq]=Sept`)).data).toHaveLength(1);
});

it("localizes a field without a look at the records", async () => {
  const before = await records();
  const fields = [title, { ...slug, localized: true }, views, cta];
  const changed = await countedCall("PUT", `${space}/models/collections/posts`, { fields });
  expect(changed.status).toBe(200);
  expect(changed.rowsWritten).toBeLessThan(FEW_ROWS);
  expect(await records()).toEqual(before);
  expect((await client.call("GET", `${one(8)}?locale=all`)).data["slug"]).toEqual({
    ...{ en: "en-8", de: null, fr: null },
  });
  expect(await total("filter[slug][eq]=en-8")).toBe(1);
  expect(await total("locale=de&filter[slug][eq]=en-8")).toBe(0);
  expect((await client.call("PUT", `${one(8)}?locale=de`, { slug: "acht" })).status).toBe(200);
  expect(await total("locale=de&filter[slug][eq]=acht")).toBe(1);
});

it("changes a component of all records in the background, in slices, while they are written", async () => {
  const path = `${space}/models/components/cta`;
  const tight = [{ name: "label", type: "string", maxLength: 5 }];
  const asked = await countedCall("PUT", path, { fields: tight });
  expect([asked.status, asked.data["state"], asked.data["records"]]).toEqual([202, "working", RECORDS]);
  expect(asked.rowsWritten).toBeLessThan(FEW_ROWS);
  const costs = noCosts();
  const db = database(countingDatabase(costs));
  let slices = 0;
  for (;;) {
    const [due] = await modelChangesToDo(db, 1);
    if (!due) break;
    await takeSlice(db, due, Date.now());
    slices++;
    // An editor writes meanwhile, behind and before the place that the change has reached.
    for (const n of slices > WRITTEN_SLICES ? [] : [slices, RECORDS - 1 - slices]) {
      const label = slices === 1 ? "too long" : "short";
      expect((await client.call("PUT", one(n), { cta: { label }, views: slices })).status).toBe(200);
    }
    if (slices === 2) {
      for (const n of [1, RECORDS - 2]) await client.call("PUT", one(n), { cta: { label: "short" } });
    }
  }
  expect(slices).toBeGreaterThan(RECORDS / LIMITS.checkedRecordsBatch);
  expect(costs.rowsWrittenAtOnce).toBeLessThan(ROWS_AT_ONCE_MAX);
  const { data } = await client.call("GET", "/models/components/cta/change");
  expect(data).toMatchObject({ state: "done", conflicts: [] });
  expect((await client.call("PUT", one(3), { cta: { label: "longer" } })).status).toBe(400);
  expect((await client.call("PUT", one(3), { cta: { label: "fits" } })).status).toBe(200);
});
