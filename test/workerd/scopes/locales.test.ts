/** Keys whose scopes name locales (RULES 1.13). */
import { beforeAll, describe, expect, it } from "vitest";
import { Client, type Reply } from "../support/api.ts";
import { makeMedia } from "../support/rows.ts";

let client: Client;
let german: string;
let record: string;
let picture: string;
const PATH = "/data/collections/pieces";

const as = (method: string, path: string, body?: unknown): Promise<Reply> =>
  client.call(method, path, body, { key: german });

beforeAll(async () => {
  client = await Client.make();
  const locales = [{ code: "en" }, { code: "de", fallback: "fr" }, { code: "fr", fallback: "en" }];
  expect((await client.call("PATCH", "/settings", { locales })).status).toBe(200);
  const made = await client.call("POST", "/models", {
    typeModel: "collections",
    name: "pieces",
    drafts: true,
    titleField: "title",
    fields: [
      { name: "title", type: "string", localized: true, searchable: true },
      { name: "words", type: "string", localized: true },
      { name: "price", type: "number" },
      { name: "self", type: "relation", to: "pieces" },
    ],
  });
  expect(made.status).toBe(201);
  record = await client.create("pieces", { title: "light", words: "secret", price: 1 });
  await client.call("PUT", `${PATH}/${record}?locale=fr`, { title: "lumière" });
  await client.call("PUT", `${PATH}/${record}?locale=de`, { title: "Licht" });
  picture = (await makeMedia(client.space)).id;
  const scopes = { locales: ["de"] };
  german = String((await client.call("POST", "/keys", { name: "g", role: "write", scopes })).data["key"]);
});

it("refuses a locale outside, the default too where none is named", async () => {
  for (const path of [
    PATH,
    `${PATH}/${record}`,
    `${PATH}/${record}?locale=en`,
    `${PATH}?locale=fr`,
    `${PATH}/${record}/versions/1`,
    "/media",
    `/media/${picture}`,
    `/media/${picture}?locale=fr`,
  ]) {
    const { status, error } = await as("GET", path);
    expect([path, status, error.code]).toEqual([path, 403, "FORBIDDEN"]);
  }
  expect((await as("GET", `${PATH}?locale=xx`)).status).toBe(400);
});

it("shows the locales inside, with `all` too", async () => {
  const one = await as("GET", `${PATH}/${record}?locale=de&status=draft`);
  expect(one.data).toMatchObject({ title: "Licht", words: null, price: 1, locale: "de" });
  const whole = await as("GET", `${PATH}/${record}?locale=all&status=draft`);
  expect(whole.data).toMatchObject({
    title: { de: "Licht" },
    words: { de: null },
    statuses: { de: "draft" },
  });
  expect(JSON.stringify(whole.data)).not.toMatch(/secret|lumière/);
  const list = await as("GET", `${PATH}?locale=all&status=draft`);
  expect(list.data).toEqual([whole.data]);
});

it("borrows from no locale outside", async () => {
  const { data } = await as("GET", `${PATH}/${record}?locale=de&status=draft&fallback=true`);
  expect(data).toMatchObject({ title: "Licht", words: null, fallbacks: {} });
});

it("refuses lists of `all` by the values of a default outside", async () => {
  for (const query of ["filter[words][eq]=secret", "sort=words", "search=light", "filter[price][eq]=1"]) {
    const { status } = await as("GET", `${PATH}?locale=all&status=draft&${query}`);
    expect([query, status]).toEqual([query, 403]);
  }
  const own = await as("GET", `${PATH}?locale=de&status=draft&filter[title][eq]=Licht`);
  expect(own.data).toHaveLength(1);
  expect((await as("GET", "/media?locale=all&search=photo")).status).toBe(403);
  expect((await as("GET", "/media?locale=de")).data).toHaveLength(1);
});

describe("a write", () => {
  it("changes the locale inside, and no shared field", async () => {
    const path = `${PATH}/${record}?locale=de`;
    expect((await as("PUT", path, { title: "Leuchten", price: 1 })).status).toBe(200);
    for (const body of [{ price: 2 }, { self: record }, { title: "x", price: null }]) {
      expect([body, (await as("PUT", path, body)).status]).toEqual([body, 403]);
    }
    const all = `${PATH}/${record}?locale=all`;
    expect((await as("PUT", all, { title: { de: "Licht" } })).status).toBe(200);
    expect((await as("PUT", all, { title: { de: "L", en: "x" } })).status).toBe(403);
    expect((await as("PUT", all, { title: null })).status).toBe(403);
    const operations = [{ op: "update", id: record, data: { price: 3 } }];
    expect((await as("POST", `${PATH}/bulk?locale=de`, { operations })).status).toBe(403);
  });

  it("makes a record in the locale inside", async () => {
    const made = await as("POST", `${PATH}?locale=de`, { title: "Neu" });
    expect(made.status).toBe(201);
    expect((await as("POST", `${PATH}?locale=de`, { title: "Neu", price: 1 })).status).toBe(403);
    expect((await as("POST", PATH, { title: "New" })).status).toBe(403);
  });

  it("removes and restores no record, which is one in all locales", async () => {
    expect((await as("DELETE", `${PATH}/${record}`)).status).toBe(403);
    const operations = [{ op: "delete", id: record }];
    expect((await as("POST", `${PATH}/bulk?locale=de`, { operations })).status).toBe(403);
    const gone = await client.create("pieces", { title: "gone" });
    await client.call("PUT", `${PATH}/${gone}?locale=de`, { title: "weg" });
    await client.call("DELETE", `${PATH}/${gone}`);
    const entry = (await as("GET", `/trash/${gone}`)).data;
    expect(entry).toMatchObject({ title: null, content: { title: { de: "weg" } } });
    expect(JSON.stringify(entry)).not.toContain("gone");
    expect((await as("GET", "/trash")).data).toMatchObject([{ id: gone, title: null }]);
    expect((await as("POST", `/trash/${gone}/restore`)).status).toBe(403);
  });

  it("changes the alt text of a picture, and nothing that its locales share", async () => {
    const path = `/media/${picture}`;
    expect((await as("PATCH", `${path}?locale=de`, { alt: "Bild" })).data).toMatchObject({ alt: "Bild" });
    expect((await as("PATCH", `${path}?locale=de`, { filename: "x.jpg" })).status).toBe(403);
    expect((await as("PATCH", path, { alt: "picture" })).status).toBe(403);
    expect((await as("DELETE", path)).status).toBe(403);
    expect((await as("PUT", `${path}/file`, {})).status).toBe(403);
  });
});

it("publishes the locales inside alone", async () => {
  const path = `${PATH}/${record}/publish?locale=de`;
  expect((await as("POST", path, {})).status).toBe(403);
  expect((await as("POST", path, { locales: ["en", "de"] })).status).toBe(403);
  expect((await as("POST", path, { locales: ["de"] })).status).toBe(200);
  expect((await client.call("GET", `${PATH}/${record}?locale=de`)).status).toBe(200);
  expect((await client.call("GET", `${PATH}/${record}`)).status).toBe(404);
  expect((await as("GET", `${PATH}/${record}?locale=all`)).data).toMatchObject({ title: { de: "Licht" } });
});

it("names the locales inside in the history, and restores their values alone", async () => {
  const { data } = await as("GET", `${PATH}/${record}/versions`);
  const named = (data as unknown as { locales: string[] }[]).flatMap(({ locales }) => locales);
  expect([...new Set(named)]).toEqual(["de"]);
  const first = await as("GET", `${PATH}/${record}/versions/2?locale=all`);
  expect(JSON.stringify(first.data)).not.toMatch(/secret|lumière/);
  const restore = `${PATH}/${record}/versions/3/restore?locale=de`;
  expect((await as("POST", restore, { locales: ["de"] })).status).toBe(200);
  expect((await as("POST", restore, { locales: ["en"] })).status).toBe(403);
});

it("shows no titles of a default outside", async () => {
  await client.create("pieces", { title: "names it", self: record });
  const { data } = await as("GET", `${PATH}/${record}/references`);
  expect(data).toMatchObject([{ model: "pieces", title: null }]);
});

it("means nothing in a space without locales", async () => {
  const plain = await Client.make();
  await plain.model("pieces", [{ name: "title", type: "string" }]);
  const scopes = { locales: ["de"] };
  const { data } = await plain.call("POST", "/keys", { name: "g", role: "write", scopes });
  const made = await plain.call("POST", PATH, { title: "a" }, { key: String(data["key"]) });
  expect(made.status).toBe(201);
});
