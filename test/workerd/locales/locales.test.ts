/** Values by locale: set up, written, read, borrowed, listed, searched and unique in one locale (RULES 3.30, 3.31, 3.32). */
import { beforeAll, describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";

type Data = Record<string, unknown>;

const FIELDS = [
  { name: "title", type: "string", localized: true, searchable: true },
  { name: "slug", type: "string", localized: true, unique: true },
  { name: "body", type: "text", localized: true, searchable: true },
  { name: "rank", type: "number" },
  { name: "sku", type: "string", searchable: true },
];

async function spaceWith(fields: readonly object[] = FIELDS, options: object = {}): Promise<Client> {
  const client = await Client.make();
  const made = await client.call("PATCH", "/settings", {
    locales: [
      { code: "en" },
      { code: "DE", fallback: "en" },
      { code: "de-at", fallback: "de" },
      { code: "fr" },
    ],
  });
  expect(made.status).toBe(200);
  const model = { typeModel: "collections", name: "articles", fields, ...options };
  expect((await client.call("POST", "/models", model)).status).toBe(201);
  return client;
}

const PATH = "/data/collections/articles";
const titles = ({ data }: { data: unknown }, name = "title"): unknown[] =>
  (data as Data[]).map((one) => one[name]);

describe("the values of a record by locale", () => {
  let client: Client;
  let id: string;

  beforeAll(async () => {
    client = await spaceWith();
    const made = await client.call("POST", PATH, { title: "Hello", slug: "hello", rank: 1, sku: "A1" });
    expect(made.status).toBe(201);
    id = String(made.data["id"]);
  });

  it("shows locales in their usual form", async () => {
    const { data } = await client.call("GET", "/settings");
    expect(data["locales"]).toEqual([
      { code: "en" },
      { code: "de", fallback: "en" },
      { code: "de-AT", fallback: "de" },
      { code: "fr" },
    ]);
  });

  it("reads another locale as empty until it is written, and shares the other fields", async () => {
    const before = await client.call("GET", `${PATH}/${id}?locale=de`);
    expect(before.data).toMatchObject({ title: null, slug: null, rank: 1, sku: "A1", locale: "de" });
    const put = await client.call("PUT", `${PATH}/${id}?locale=de`, {
      title: "Hallo",
      slug: "hallo",
      rank: 2,
    });
    expect(put.data).toMatchObject({ title: "Hallo", slug: "hallo", rank: 2, locale: "de", version: 2 });
    const english = await client.call("GET", `${PATH}/${id}`);
    expect(english.data).toMatchObject({ title: "Hello", slug: "hello", rank: 2, locale: "en", version: 2 });
    const german = await client.call("GET", `${PATH}/${id}?locale=DE`);
    expect(german.data).toEqual(put.data);
    expect(german.headers.get("ETag")).toBe(put.headers.get("ETag"));
    expect(german.headers.get("ETag")).not.toBe(english.headers.get("ETag"));
  });

  it("takes a read back as it was, and refuses the values of another locale", async () => {
    const { data } = await client.call("GET", `${PATH}/${id}?locale=de`);
    const same = await client.call("PUT", `${PATH}/${id}?locale=de`, data);
    expect(same.data).toEqual(data);
    const other = await client.call("PUT", `${PATH}/${id}?locale=fr`, data);
    expect(other.status).toBe(400);
    expect(other.error.details).toEqual([expect.objectContaining({ path: "locale" })]);
  });

  it("names the locales of the space when another one is asked for", async () => {
    const { status, error } = await client.call("GET", `${PATH}/${id}?locale=es`);
    expect(status).toBe(400);
    expect(error.message).toContain("en, de, de-AT, fr");
  });

  it("answers all locales at once, and changes those that a body names", async () => {
    const { data } = await client.call("GET", `${PATH}/${id}?locale=all`);
    expect(data).toMatchObject({
      title: { en: "Hello", de: "Hallo", "de-AT": null, fr: null },
      rank: 2,
      locale: "all",
    });
    const put = await client.call("PUT", `${PATH}/${id}?locale=all`, {
      title: { FR: "Bonjour", de: null },
      rank: 3,
    });
    expect(put.data).toMatchObject({
      title: { en: "Hello", de: null, "de-AT": null, fr: "Bonjour" },
      rank: 3,
    });
    const back = await client.call("PUT", `${PATH}/${id}?locale=all`, { title: { de: "Hallo" } });
    expect(back.data).toMatchObject({ title: { en: "Hello", de: "Hallo", "de-AT": null, fr: "Bonjour" } });
    const unknown = await client.call("PUT", `${PATH}/${id}?locale=all`, { title: { es: "Hola" } });
    expect(unknown.error.details).toEqual([expect.objectContaining({ path: "title.es" })]);
    const wrong = await client.call("PUT", `${PATH}/${id}?locale=all`, { title: { de: 5 }, rank: "x" });
    expect(wrong.error.details?.map(({ path }) => path)).toEqual(["title.de", "rank"]);
  });

  it("lists every fault of a body in `all`, a locale that is named twice too", async () => {
    const title = { es: "Hola", de: "Hallo", DE: "Guten Tag", it: "Ciao", fr: 5 };
    const { status, error } = await client.call("PUT", `${PATH}/${id}?locale=all`, { title, rank: "x" });
    expect([status, error.details]).toEqual([
      400,
      [
        { path: "title.es", message: "is no locale of this space, which has en, de, de-AT, fr" },
        { path: "title.DE", message: "is de a second time" },
        { path: "title.it", message: "is no locale of this space, which has en, de, de-AT, fr" },
        { path: "title.fr", message: "must be a string" },
        { path: "rank", message: "must be a number" },
      ],
    ]);
  });

  it("clears a field in all locales with null", async () => {
    const made = await client.call("POST", `${PATH}?locale=all`, {
      title: { en: "One", de: "Eins" },
      rank: 9,
    });
    expect(made.data).toMatchObject({ title: { en: "One", de: "Eins", fr: null } });
    const cleared = await client.call("PUT", `${PATH}/${String(made.data["id"])}?locale=all`, {
      title: null,
    });
    expect(cleared.data).toMatchObject({ title: { en: null, de: null, "de-AT": null, fr: null } });
    await client.call("DELETE", `${PATH}/${String(made.data["id"])}`);
  });

  it("borrows from fallbacks only in a read that asks for it", async () => {
    const { data } = await client.call("GET", `${PATH}/${id}?locale=de-AT&fallback=true`);
    expect(data).toMatchObject({
      title: "Hallo",
      slug: "hallo",
      body: null,
      locale: "de-AT",
      fallbacks: { title: "de", slug: "de" },
    });
    const back = await client.call("PUT", `${PATH}/${id}?locale=de-AT`, data);
    expect(back.status).toBe(400);
    expect(back.error.details?.map(({ path }) => path)).toContain("fallbacks");
    expect((await client.call("GET", `${PATH}/${id}?locale=de-AT`)).data).toMatchObject({ title: null });
    const own = await client.call("GET", `${PATH}/${id}?locale=en&fallback=true`);
    expect(own.data["fallbacks"]).toEqual({});
    expect((await client.call("GET", `${PATH}/${id}?locale=all&fallback=true`)).status).toBe(400);
  });

  it("changes the ETag when a borrowed value changes", async () => {
    const before = await client.call("GET", `${PATH}/${id}?locale=de-AT&fallback=true`);
    await client.call("PUT", `${PATH}/${id}?locale=de`, { title: "Servus" });
    const after = await client.call("GET", `${PATH}/${id}?locale=de-AT&fallback=true`);
    expect(after.data["title"]).toBe("Servus");
    expect(after.headers.get("ETag")).not.toBe(before.headers.get("ETag"));
    await client.call("PUT", `${PATH}/${id}?locale=de`, { title: "Hallo" });
  });
});

describe("lists in a locale", () => {
  let client: Client;

  beforeAll(async () => {
    client = await spaceWith();
    const records = [
      { title: { en: "Apple", de: "Apfel" }, slug: { en: "a", de: "a" }, rank: 3, sku: "red-1" },
      { title: { en: "Pear", de: "Birne" }, slug: { en: "p" }, rank: 2, sku: "green-1" },
      { title: { en: "Plum" }, rank: 1, sku: "blue-1" },
      { title: { de: "Zitrone" }, body: { de: "sauer und Gelb" }, rank: 4, sku: "yellow-1" },
      { title: { en: "Cherry" }, rank: 5, sku: "red-2" },
    ];
    for (const record of records) {
      expect((await client.call("POST", `${PATH}?locale=all`, record)).status).toBe(201);
    }
  });

  const list = (query: string) => client.call<Data[]>("GET", `${PATH}?${query}`);

  it("has all records in every locale", async () => {
    expect(titles(await list("locale=de&sort=rank"))).toEqual([null, "Birne", "Apfel", "Zitrone", null]);
    expect(titles(await list("sort=rank"))).toEqual(["Plum", "Pear", "Apple", null, "Cherry"]);
  });

  it("sorts by the locale's own values, with null last, and first when descending", async () => {
    expect(titles(await list("locale=de&sort=title,rank"))).toEqual([
      "Apfel",
      "Birne",
      "Zitrone",
      null,
      null,
    ]);
    expect(titles(await list("locale=de&sort=-title,rank"))).toEqual([
      null,
      null,
      "Zitrone",
      "Birne",
      "Apfel",
    ]);
    expect(titles(await list("locale=de&sort=title,rank"), "rank")).toEqual([3, 2, 4, 1, 5]);
    expect(titles(await list("locale=fr&sort=-title,-rank"), "rank")).toEqual([5, 4, 3, 2, 1]);
  });

  it.each(["title,rank", "-title,rank", "rank,title", "-title,-rank", "title,-createdAt"])(
    "goes through a list by %s page by page as in one",
    async (sort) => {
      const whole = (await list(`locale=de&sort=${sort}&limit=100`)).data.map(({ sku }) => sku);
      const paged: unknown[] = [];
      let cursor = "";
      for (let page = 0; page < 10; page++) {
        const { data, meta } = await list(`locale=de&sort=${sort}&limit=2${cursor}`);
        paged.push(...data.map(({ sku }) => sku));
        if (meta.nextCursor === null) break;
        cursor = `&cursor=${meta.nextCursor}`;
      }
      expect(paged).toEqual(whole);
    },
  );

  it.each([
    ["filter[title][eq]=Apfel", [3]],
    ["filter[title][eq]=Apple", []],
    ["filter[title][ne]=Apfel", [1, 2, 4, 5]],
    ["filter[title][nin]=Apfel,Birne", [1, 4, 5]],
    ["filter[title][in]=Apfel,Birne", [2, 3]],
    ["filter[title][null]=true", [1, 5]],
    ["filter[title][null]=false", [2, 3, 4]],
    ["filter[title][startsWith]=Zi", [4]],
    ["filter[title][gt]=B", [2, 4]],
    ["filter[body][contains]=Gelb", [4]],
    ["filter[body][icontains]=GELB", [4]],
    ["filter[title][null]=true&filter[sku][startsWith]=red", [5]],
    ["filter[or][0][title][eq]=Apfel&filter[or][1][rank][eq]=1", [1, 3]],
  ])("filters by %s", async (filter, ranks) => {
    expect(titles(await list(`locale=de&sort=rank&${filter}`), "rank")).toEqual(ranks);
    expect(titles(await list(`locale=de&sort=title&${filter}`), "rank").toSorted()).toEqual(ranks);
    const counted = await list(`locale=de&count=true&${filter}`);
    expect(counted.meta.total).toBe(ranks.length);
  });

  it("searches the words of the locale and of the shared fields together", async () => {
    expect(titles(await list("locale=de&search=apfel"))).toEqual(["Apfel"]);
    expect(titles(await list("locale=de&search=apple"))).toEqual([]);
    expect(titles(await list("locale=de&search=apf%20red"))).toEqual(["Apfel"]);
    expect(titles(await list("locale=de&search=blue"), "rank")).toEqual([1]);
    expect(titles(await list("locale=de&search=1&count=true"), "rank").toSorted()).toEqual([1, 2, 3, 4]);
    expect((await list("locale=de&search=red&count=true")).meta.total).toBe(2);
    expect(titles(await list("search=apple"))).toEqual(["Apple"]);
    expect(titles(await list("locale=fr&search=yellow"), "rank")).toEqual([4]);
    expect(titles(await list("locale=de&search=gelb&filter[rank][gt]=3"))).toEqual(["Zitrone"]);
  });

  it("borrows in lists, and filters by own values", async () => {
    const { data } = await list("locale=de-AT&fallback=true&sort=rank");
    expect(titles({ data })).toEqual(["Plum", "Birne", "Apfel", "Zitrone", "Cherry"]);
    expect(data[0]?.["fallbacks"]).toEqual({ title: "en" });
    expect((await list("locale=de-AT&fallback=true&filter[title][eq]=Birne")).data).toEqual([]);
  });

  it("lists all locales by the default's order", async () => {
    const { data } = await list("locale=all&sort=title");
    expect(data[0]).toMatchObject({ title: { en: "Apple", de: "Apfel" }, locale: "all" });
    expect((await list("locale=all&filter[title][eq]=Apfel")).data).toEqual([]);
  });

  it("keeps values unique in each locale by itself", async () => {
    const taken = await client.call("POST", `${PATH}?locale=de`, { slug: "a" });
    expect(taken.status).toBe(409);
    expect(taken.error.details).toEqual([expect.objectContaining({ path: "slug" })]);
    const free = await client.call("POST", `${PATH}?locale=de`, { slug: "p" });
    expect(free.status).toBe(201);
    await client.call("DELETE", `${PATH}/${String(free.data["id"])}`);
    expect((await client.call("POST", `${PATH}?locale=de`, { slug: "p" })).status).toBe(201);
    expect((await client.call("POST", `/trash/${String(free.data["id"])}/restore`)).status).toBe(409);
  });
});
