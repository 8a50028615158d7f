/** Changes of fields and components look at the values of every locale (RULES 3.2, 3.26, 3.31). */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeSlice } from "../../../src/edge/models/change/4-work-in-background.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { modelChangesToDo } from "../../../src/edge/storage/models/background-changes.ts";
import { takeModelChanges } from "../../../src/edge/sweep/model-changes.ts";
import { CONTENT } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

type Data = Record<string, unknown>;
interface Change {
  state: string;
  conflicts: { path: string; message: string; records: number }[];
}

const db = database(bindings.DB);
const LIMITS = CONTENT as { checkedRecordsMax: number; checkedRecordsBatch: number };
const real = { ...LIMITS };
const POSTS = "/data/collections/posts";
const MODEL = "/models/collections/posts";
const title = { name: "title", type: "string", localized: true };
const slug = { name: "slug", type: "string", localized: true };
const FIELDS = [title, slug];

let client: Client;
beforeEach(async () => {
  client = await Client.make();
  await client.call("PATCH", "/settings", { locales: ["en", "de", "fr"].map((code) => ({ code })) });
});
afterEach(() => {
  Object.assign(LIMITS, real);
});

const make = async (values: Data): Promise<string> => {
  const made = await client.call("POST", `${POSTS}?locale=all`, values);
  expect(made.status).toBe(201);
  return String(made.data["id"]);
};
const change = (...fields: object[]) => client.call("PUT", MODEL, { fields });
const background = async (path = MODEL): Promise<Change> =>
  (await client.call<Change>("GET", `${path}/change`)).data;
const work = () => takeModelChanges(db, Date.now(), (event) => expect(event).toEqual(null));

describe("a change of a localized field", () => {
  beforeEach(async () => {
    await client.call("POST", "/models", { typeModel: "collections", name: "posts", fields: FIELDS });
  });

  it.each([
    ["maxLength", { maxLength: 5 }],
    ["pattern", { pattern: "^[a-z]{1,5}$" }],
    ["type", { type: "enum", values: ["short"] }],
    ["number", { type: "number" }],
  ])("is refused for values of another locale: %s", async (name, option) => {
    const en = name === "number" ? null : "short";
    const id = await make({ title: { en, de: "zu lang" } });
    await make({ title: { en, fr: "trop long" } });
    const refused = await change({ ...title, ...option }, slug);
    expect(refused.status).toBe(409);
    expect(refused.error.message).toContain("does not fit 2 records");
    expect(refused.error.message).toContain(`record ${id} in de `);
    const dry = await client.call("PUT", `${MODEL}?dryRun=true`, { fields: [{ ...title, ...option }, slug] });
    expect(dry.data["conflicts"]).toMatchObject([{ path: "title", records: 2 }]);
    expect((await client.call("GET", `${POSTS}/${id}?locale=de`)).data["title"]).toBe("zu lang");
  });

  it("looks at trashed records, and at published contents that the draft has replaced", async () => {
    await client.call("PUT", MODEL, { fields: FIELDS, drafts: true });
    const id = await make({ title: { en: "short", de: "zu lang" } });
    await client.call("POST", `${POSTS}/${id}/publish`);
    await client.call("PUT", `${POSTS}/${id}?locale=de`, { title: "kurz" });
    const tight = { ...title, maxLength: 5 };
    expect((await change(tight, slug)).status).toBe(409);
    await client.call("POST", `${POSTS}/${id}/publish`);
    expect((await change(tight, slug)).status).toBe(200);
    expect((await change(title, slug)).status).toBe(200);
    const trashed = await make({ title: { de: "zu lang" } });
    await client.call("DELETE", `${POSTS}/${trashed}`);
    expect((await change(tight, slug)).status).toBe(409);
  });

  it("counts values that several records have in one locale, and takes those of two locales for two", async () => {
    const unique = { ...slug, unique: true };
    await make({ slug: { en: "a", de: "b" } });
    await make({ slug: { en: "b", de: "a" } });
    expect((await change(title, unique)).status).toBe(200);
    expect((await client.call("POST", `${POSTS}?locale=de`, { slug: "a" })).status).toBe(409);
    // Not unique any more, in no locale; and unique anew, with the values of that day.
    expect((await change(title, slug)).status).toBe(200);
    const third = await make({ slug: { de: "a" } });
    const refused = await change(title, unique);
    expect(refused.status).toBe(409);
    expect(refused.error.message).toContain("1 of its values");
    await client.call("PUT", `${POSTS}/${third}?locale=de`, { slug: "c" });
    expect((await change(title, unique)).status).toBe(200);
    expect((await client.call("POST", `${POSTS}?locale=de`, { slug: "c" })).status).toBe(409);
  });

  it("keeps one index row per value when the form of the rows changes", async () => {
    await make({ title: { en: "a", de: "b".repeat(600) } });
    expect((await change({ ...title, type: "text" }, slug)).status).toBe(200);
    const found = await client.call<Data[]>("GET", `${POSTS}?locale=de&sort=title&filter[title][null]=false`);
    expect(found.data).toHaveLength(1);
    const rows = await bindings.DB.prepare(
      "SELECT count(*) AS n FROM record_values WHERE field > 4294967296 AND value > '' AND value < x''",
    ).first<{ n: number }>();
    expect(rows?.n).toBe(1);
  });

  it("is refused in the background too, for values that were there and that were written meanwhile", async () => {
    Object.assign(LIMITS, { checkedRecordsMax: 3, checkedRecordsBatch: 2 });
    const ids = [];
    for (let n = 0; n < 4; n++) ids.push(await make({ title: { en: `e${n}`, de: `d${n}`, fr: `f${n}` } }));
    const tight = { ...title, maxLength: 5 };
    expect((await change(tight, slug)).status).toBe(202);
    await client.call("PUT", `${POSTS}/${ids[0]}?locale=fr`, { title: "trop long" });
    await work();
    const refused = await background();
    expect(refused).toMatchObject({ state: "refused", conflicts: [{ path: "title", records: 1 }] });
    // Written after its locale was looked at.
    await client.call("PUT", `${POSTS}/${ids[0]}?locale=fr`, { title: "court" });
    expect((await change(tight, slug)).status).toBe(202);
    for (let n = 0; n < 20; n++) {
      const [due] = await modelChangesToDo(db, 1);
      if (due?.phase === 2) break;
      if (due) await takeSlice(db, due, Date.now());
    }
    await client.call("PUT", `${POSTS}/${ids[1]}?locale=de`, { title: "zu lang" });
    await work();
    expect(await background()).toMatchObject({ state: "refused" });
    await client.call("PUT", `${POSTS}/${ids[1]}?locale=de`, { title: "kurz" });
    expect((await change(tight, slug)).status).toBe(202);
    await work();
    expect(await background()).toMatchObject({ state: "done" });
  });

  it("becomes unique in the background in every locale, and names records with the same value", async () => {
    Object.assign(LIMITS, { checkedRecordsMax: 3, checkedRecordsBatch: 2 });
    const ids = [];
    for (let n = 0; n < 4; n++) ids.push(await make({ slug: { en: `e${n}`, de: `d${n}` } }));
    const last = await make({ slug: { de: "d1" } });
    const unique = { ...slug, unique: true };
    expect((await change(title, unique)).status).toBe(202);
    await work();
    const refused = await background();
    expect(refused.state).toBe("refused");
    expect(refused.conflicts[0]?.message).toContain(`record ${last} has the value of record ${ids[1]}`);
    await client.call("PUT", `${POSTS}/${last}?locale=de`, { slug: "d9" });
    await work();
    expect((await change(title, unique)).status).toBe(202);
    const [due] = await modelChangesToDo(db, 1);
    if (due) await takeSlice(db, due, Date.now());
    await client.call("PUT", `${POSTS}/${ids[0]}?locale=de`, { slug: "d10" });
    await work();
    expect(await background()).toMatchObject({ state: "done", conflicts: [] });
    const post = (text: string) => client.call("POST", `${POSTS}?locale=de`, { slug: text });
    expect((await post("d10")).status).toBe(409);
    expect((await post("d0")).status).toBe(201);
  });
});

describe("a change of a component that a localized field holds", () => {
  const CTA = "/models/components/cta";
  const label = { name: "label", type: "string" };
  const cta = { name: "cta", type: "component", component: "cta", localized: true };
  const tighten = () => client.call("PUT", CTA, { fields: [{ ...label, maxLength: 5 }] });
  const write = (id: string, text: string) =>
    client.call("PUT", `${POSTS}/${id}?locale=de`, { cta: { label: text } });

  beforeEach(async () => {
    await client.call("POST", "/models", { typeModel: "components", name: "cta", fields: [label] });
    await client.call("POST", "/models", { typeModel: "collections", name: "posts", fields: [cta] });
  });

  it("is refused for objects of another locale", async () => {
    const id = await make({ cta: { en: { label: "short" }, de: { label: "zu lang" } } });
    const refused = await tighten();
    expect(refused.status).toBe(409);
    expect(refused.error.message).toContain(`record ${id} at cta.label must have at most 5`);
    const dropped = await client.call("PUT", CTA, { fields: [] });
    expect(dropped.status).toBe(409);
    await write(id, "kurz");
    expect((await tighten()).status).toBe(200);
    expect((await write(id, "zu lang")).status).toBe(400);
  });

  it("is refused in the background, for objects that were written meanwhile too", async () => {
    Object.assign(LIMITS, { checkedRecordsMax: 3, checkedRecordsBatch: 2 });
    const ids = [];
    for (let n = 0; n < 4; n++) ids.push(await make({ cta: { en: { label: "e" }, de: { label: `d${n}` } } }));
    const id = ids[0] ?? "";
    await write(id, "zu lang");
    expect((await tighten()).status).toBe(202);
    await work();
    expect(await background(CTA)).toMatchObject({ state: "refused", conflicts: [{ path: "label" }] });
    await write(id, "kurz");
    expect((await tighten()).status).toBe(202);
    for (let n = 0; n < 20; n++) {
      const [due] = await modelChangesToDo(db, 1);
      if (due?.phase === 2) break;
      if (due) await takeSlice(db, due, Date.now());
    }
    expect((await write(id, "zu lang")).status).toBe(200);
    await work();
    expect(await background(CTA)).toMatchObject({ state: "refused" });
    await write(id, "kurz");
    expect((await tighten()).status).toBe(202);
    await work();
    expect(await background(CTA)).toMatchObject({ state: "done" });
  });
});
