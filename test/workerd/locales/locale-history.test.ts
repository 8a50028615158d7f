/** The history and the trash of records in several locales (RULES 3.13, 3.31). */
import { beforeAll, describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

type Data = Record<string, unknown>;

const FIELDS = [
  { name: "title", type: "string", localized: true },
  { name: "body", type: "text", localized: true },
  { name: "slug", type: "string", localized: true, unique: true },
  { name: "rank", type: "number" },
];
const LOCALES = ["en", "de", "fr"].map((code) => ({ code }));

describe("the history of a record in several locales", () => {
  let client: Client;
  let path: string;

  beforeAll(async () => {
    client = await Client.make();
    await client.call("PATCH", "/settings", { locales: LOCALES });
    await client.model("posts", FIELDS);
    const made = await client.call("POST", "/data/collections/posts?locale=all", {
      title: { en: "One", de: "Eins" },
      rank: 1,
    });
    path = `/data/collections/posts/${String(made.data["id"])}`;
    await client.call("PUT", `${path}?locale=de`, { title: "Zwei" });
    await client.call("PUT", path, { rank: 2 });
    await client.call("PUT", `${path}?locale=all`, { title: { en: "Three", fr: "Trois" }, rank: 3 });
  });

  it("names the locales that an event has changed", async () => {
    const { data } = await client.call<Data[]>("GET", `${path}/versions`);
    expect(data.map(({ version, changed, locales }) => [version, changed, locales])).toEqual([
      [4, ["title", "rank"], ["en", "fr"]],
      [3, ["rank"], []],
      [2, ["title"], ["de"]],
      [1, ["title", "rank"], ["en", "de"]],
    ]);
  });

  it.each([
    [1, { en: "One", de: "Eins", fr: null }, 1],
    [2, { en: "One", de: "Zwei", fr: null }, 1],
    [3, { en: "One", de: "Zwei", fr: null }, 2],
    [4, { en: "Three", de: "Zwei", fr: "Trois" }, 3],
  ])("shows version %i in all locales", async (version, title, rank) => {
    const { data } = await client.call("GET", `${path}/versions/${version}?locale=all`);
    expect(data["record"]).toMatchObject({ title, rank, version });
    const german = await client.call("GET", `${path}/versions/${version}?locale=de`);
    expect(german.data["record"]).toMatchObject({ title: title.de, rank });
  });

  it("restores one locale alone, then all", async () => {
    const one = await client.call("POST", `${path}/versions/1/restore?locale=de`, { locales: ["de"] });
    expect(one.data).toMatchObject({ title: "Eins", rank: 3, version: 5 });
    const whole = await client.call("GET", `${path}?locale=all`);
    expect(whole.data).toMatchObject({ title: { en: "Three", de: "Eins", fr: "Trois" }, rank: 3 });
    await client.call("POST", `${path}/versions/2/restore`);
    const back = await client.call("GET", `${path}?locale=all`);
    expect(back.data).toMatchObject({ title: { en: "One", de: "Zwei", fr: null }, rank: 1, version: 6 });
    expect((await client.call("GET", `${path}/versions/5?locale=all`)).data["record"]).toMatchObject({
      title: { en: "Three", de: "Eins", fr: "Trois" },
      rank: 3,
    });
  });

  it("grows by what changed", async () => {
    const text = (code: string, n: number): string => `${code}${n} `.repeat(6000);
    const codes = ["en", "de", "fr"];
    const body = Object.fromEntries(codes.map((code) => [code, text(code, 0)]));
    const made = await client.call("POST", "/data/collections/posts?locale=all", { body });
    const own = `/data/collections/posts/${String(made.data["id"])}`;
    const bytes = async (): Promise<number> => {
      const row = await bindings.DB.prepare(
        `SELECT (SELECT coalesce(sum(length(v.data)), 0) FROM record_versions v JOIN records r ON r.seq = v.record WHERE r.id = ?1)
          + (SELECT coalesce(sum(length(p.data)), 0) FROM record_locale_versions p JOIN records r ON r.seq = p.record WHERE r.id = ?1) AS n`,
      )
        .bind(made.data["id"])
        .first<{ n: number }>();
      return row?.n ?? 0;
    };
    await client.call("PUT", `${own}?locale=de`, { body: text("de", 1) });
    expect(await bytes()).toBeLessThan(text("de", 0).length + 100);
    await client.call("PUT", own, { rank: 5 });
    await client.call("PUT", `${own}?locale=de`, { body: text("de", 2) });
    expect(await bytes()).toBeLessThan(3 * text("de", 0).length + 300);
    const first = await client.call<{ record: Data }>("GET", `${own}/versions/1?locale=all`);
    expect(first.data.record["body"]).toEqual(body);
  });

  it("shows trash in all locales, and restores all", async () => {
    const made = await client.call("POST", "/data/collections/posts?locale=all", {
      title: { en: "Gone", de: "Weg" },
      slug: { de: "weg" },
    });
    const id = String(made.data["id"]);
    const own = `/data/collections/posts/${id}`;
    expect((await client.call("DELETE", `${own}?locale=de`)).status).toBe(400);
    await client.call("DELETE", own);
    const { data } = await client.call("GET", `/trash/${id}`);
    expect(data["content"]).toMatchObject({ title: { en: "Gone", de: "Weg", fr: null }, locale: "all" });
    expect((await client.call("POST", `/trash/${id}/restore`)).status).toBe(200);
    expect((await client.call("GET", `${own}?locale=de`)).data).toMatchObject({ title: "Weg", slug: "weg" });
    const found = await client.call<Data[]>("GET", "/data/collections/posts?locale=de&filter[slug][eq]=weg");
    expect(found.data).toHaveLength(1);
  });
});

describe("a restore of trash whose unique values were taken", () => {
  it("names the values of every locale, and the records that hold them", async () => {
    const client = await Client.make();
    await client.call("PATCH", "/settings", { locales: LOCALES });
    await client.model("posts", FIELDS);
    const make = async (slug: Data): Promise<string> =>
      String((await client.call("POST", "/data/collections/posts?locale=all", { slug })).data["id"]);
    const id = await make({ en: "tree", de: "baum" });
    await client.call("DELETE", `/data/collections/posts/${id}`);
    const german = await make({ de: "baum" });
    const one = await client.call("POST", `/trash/${id}/restore`);
    expect(one.status).toBe(409);
    expect(one.error.details).toEqual([
      { path: "slug.de", message: `must be unique; the record ${german} has this value` },
    ]);
    await make({ en: "tree" });
    const both = await client.call("POST", `/trash/${id}/restore`);
    expect(both.error.details?.map(({ path }) => path)).toEqual(["slug.en", "slug.de"]);
  });
});

describe("a page in several locales", () => {
  it("goes to the trash with all of them, and comes back published as it was", async () => {
    const client = await Client.make();
    await client.call("PATCH", "/settings", { locales: LOCALES });
    const model = { typeModel: "pages", name: "home", fields: FIELDS, drafts: true };
    expect((await client.call("POST", "/models", model)).status).toBe(201);
    const path = "/data/pages/home/home";
    await client.call("PUT", `${path}?locale=all`, { title: { en: "Home", de: "Start" }, rank: 1 });
    await client.call("POST", `${path}/publish`, { locales: ["de"] });
    const all = await client.call("GET", `${path}?status=draft&locale=all`);
    const removed = await client.call("DELETE", path);
    expect(removed.data).toMatchObject({ state: "trashed" });
    expect((await client.call("GET", `${path}?status=draft&locale=all`)).data).toMatchObject({
      title: { en: null, de: null, fr: null },
      statuses: { en: "draft", de: "draft", fr: "draft" },
    });
    expect((await client.call("GET", `${path}?locale=de`)).status).toBe(404);
    const entry = `/trash/${String(removed.data["id"])}`;
    expect((await client.call("GET", entry)).data["content"]).toMatchObject({
      title: { en: "Home", de: "Start" },
    });
    expect((await client.call("POST", `${entry}/restore`)).status).toBe(200);
    const back = await client.call("GET", `${path}?status=draft&locale=all`);
    expect(back.data).toMatchObject({ title: all.data["title"], statuses: all.data["statuses"], rank: 1 });
    expect((await client.call("GET", `${path}?locale=de`)).data).toMatchObject({ title: "Start", rank: 1 });
    expect((await client.call("GET", path)).status).toBe(404);
  });
});
