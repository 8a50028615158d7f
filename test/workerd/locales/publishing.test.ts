/** Each locale is published by itself (RULES 3.33). */
import { beforeAll, describe, expect, it } from "vitest";
import { takeDueSteps } from "../../../src/edge/sweep/schedules.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { Client } from "../support/api.ts";
import { moveClock } from "../support/clean.ts";
import { bindings } from "../support/rows.ts";

type Data = Record<string, unknown>;

const PATH = "/data/collections/articles";

async function spaceWithDrafts(): Promise<Client> {
  const client = await Client.make();
  await client.call("PATCH", "/settings", {
    locales: [{ code: "en" }, { code: "de", fallback: "en" }, { code: "fr" }],
  });
  const fields = [
    { name: "title", type: "string", required: true, localized: true, searchable: true },
    { name: "lead", type: "text", localized: true, requiredIn: "all" },
    { name: "rank", type: "number" },
  ];
  const model = { typeModel: "collections", name: "articles", fields, drafts: true, public: true };
  expect((await client.call("POST", "/models", model)).status).toBe(201);
  return client;
}

describe("publication by locale", () => {
  let client: Client;
  beforeAll(async () => {
    client = await spaceWithDrafts();
  });

  const make = async (values: Data): Promise<string> => {
    const made = await client.call("POST", `${PATH}?locale=all`, values);
    expect(made.status).toBe(201);
    return String(made.data["id"]);
  };
  const publish = (id: string, body: object = {}, step = "publish") =>
    client.call("POST", `${PATH}/${id}/${step}`, body);
  const draft = async (id: string, locale: string): Promise<Data> =>
    (await client.call("GET", `${PATH}/${id}?status=draft&locale=${locale}`)).data;
  const publicly = (id: string, query: string) =>
    client.call("GET", `${PATH}/${id}?${query}`, undefined, { key: null });

  it("publishes one locale with the shared fields, and leaves the default unpublished", async () => {
    const id = await make({ title: { en: "Hello", de: "Hallo" }, lead: { de: "Los" }, rank: 1 });
    const published = await publish(id, { locales: ["DE"] });
    expect(published.status).toBe(200);
    expect(published.data).toMatchObject({
      status: "draft",
      statuses: { en: "draft", de: "published", fr: "draft" },
    });
    expect(await draft(id, "de")).toMatchObject({ status: "published" });
    expect((await publicly(id, "")).status).toBe(404);
    expect((await publicly(id, "locale=fr")).status).toBe(404);
    expect((await publicly(id, "locale=de")).data).toMatchObject({ title: "Hallo", rank: 1, locale: "de" });
    expect((await publicly(id, "locale=all")).data).toMatchObject({
      title: { en: null, de: "Hallo", fr: null },
    });
    expect((await publicly(id, "")).status).toBe(404);
    const list = await client.call<Data[]>("GET", `${PATH}?locale=de`, undefined, { key: null });
    expect(list.data.map((one) => one["id"])).toEqual([id]);
    expect((await client.call<Data[]>("GET", PATH, undefined, { key: null })).data).toEqual([]);
    await client.call("DELETE", `${PATH}/${id}`);
  });

  it("keeps shared fields until the default locale is published again", async () => {
    const id = await make({ title: { en: "One", de: "Eins" }, lead: { en: "a", de: "b" }, rank: 1 });
    await publish(id);
    expect((await draft(id, "en"))["statuses"]).toEqual({ en: "published", de: "published", fr: "draft" });
    await client.call("PUT", `${PATH}/${id}?locale=de`, { title: "Eins neu", rank: 2 });
    expect((await draft(id, "en"))["statuses"]).toEqual({ en: "changed", de: "changed", fr: "draft" });
    await publish(id, { locales: ["de"] });
    expect((await publicly(id, "locale=de")).data).toMatchObject({ title: "Eins neu", rank: 1 });
    expect((await draft(id, "de"))["statuses"]).toEqual({ en: "changed", de: "published", fr: "draft" });
    await publish(id, { locales: ["en"] });
    expect((await publicly(id, "locale=de")).data).toMatchObject({ title: "Eins neu", rank: 2 });
    expect((await draft(id, "de"))["statuses"]).toEqual({ en: "published", de: "published", fr: "draft" });
  });

  it("unpublishes one locale, then the rest", async () => {
    const id = await make({ title: { en: "Two", de: "Zwei" }, lead: { en: "a", de: "b" }, rank: 7 });
    await publish(id);
    await publish(id, { locales: ["en"] }, "unpublish");
    expect((await publicly(id, "")).status).toBe(404);
    expect((await publicly(id, "locale=de")).data).toMatchObject({ title: "Zwei", rank: 7 });
    expect((await publicly(id, "locale=all")).data).toMatchObject({
      title: { en: null, de: "Zwei", fr: null },
    });
    await publish(id, {}, "unpublish");
    expect((await publicly(id, "locale=de")).status).toBe(404);
    expect((await publicly(id, "locale=all")).status).toBe(404);
    expect((await draft(id, "de"))["statuses"]).toEqual({ en: "draft", de: "draft", fr: "draft" });
  });

  it("demands only what the named locales need", async () => {
    const id = await make({ title: { de: "Nur deutsch" }, lead: { fr: "x" } });
    const german = await publish(id, { locales: ["de"] });
    expect(german.error.details?.map(({ path }) => path)).toEqual(["lead@de"]);
    const all = await publish(id);
    expect(all.error.details?.map(({ path }) => path).toSorted()).toEqual(["lead@de", "lead@en", "title"]);
    await client.call("PUT", `${PATH}/${id}?locale=de`, { lead: "da" });
    expect((await publish(id, { locales: ["de"] })).status).toBe(200);
    expect((await publish(id, { locales: ["es"] })).status).toBe(400);
  });

  it("finds what a fallback has published", async () => {
    const id = await make({ title: { en: "Three" }, lead: { en: "a" }, rank: 3 });
    await publish(id);
    expect((await publicly(id, "locale=de")).status).toBe(404);
    const borrowed = await publicly(id, "locale=de&fallback=true");
    expect(borrowed.data).toMatchObject({ title: "Three", fallbacks: { title: "en", lead: "en" } });
    const list = await client.call<Data[]>(
      "GET",
      `${PATH}?locale=de&fallback=true&filter[rank][eq]=3`,
      undefined,
      {
        key: null,
      },
    );
    expect(list.data.map((one) => one["id"])).toEqual([id]);
    const strict = await client.call<Data[]>("GET", `${PATH}?locale=de&filter[rank][eq]=3`, undefined, {
      key: null,
    });
    expect(strict.data).toEqual([]);
  });

  it("carries out a plan of a locale, and cancels another", async () => {
    const id = await make({ title: { en: "Four", de: "Vier" }, lead: { en: "a", de: "b" } });
    const at = new Date(Date.now() + 60_000).toISOString();
    const planned = await publish(id, { locales: ["de"], at });
    expect(planned.data).toMatchObject({ publishAt: null });
    expect(await draft(id, "de")).toMatchObject({ publishAt: at, status: "draft" });
    await publish(id, { at: null });
    expect(await draft(id, "de")).toMatchObject({ publishAt: null });
    await publish(id, { locales: ["de"], at });
    await takeDueSteps(database(bindings.DB), Date.parse(at), () => undefined);
    expect(await draft(id, "de")).toMatchObject({ publishAt: null, status: "published" });
    expect(await draft(id, "en")).toMatchObject({ status: "draft" });
    expect((await publicly(id, "locale=de")).data).toMatchObject({ title: "Vier" });
  });

  it("brings a record back from the trash without the plans whose time has passed", async () => {
    const id = await make({
      title: { en: "Six", de: "Sechs", fr: "Six" },
      lead: { en: "a", de: "b", fr: "c" },
    });
    moveClock(0);
    const soon = new Date(Date.now() + 1000).toISOString();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await publish(id, { locales: ["en", "de"], at: soon });
    await publish(id, { locales: ["de"], at: later }, "unpublish");
    await publish(id, { locales: ["fr"], at: later });
    await client.call("DELETE", `${PATH}/${id}`);
    moveClock(1001);
    expect((await client.call("POST", `/trash/${id}/restore`)).status).toBe(200);
    expect(await draft(id, "en")).toMatchObject({ publishAt: null });
    expect(await draft(id, "de")).toMatchObject({ publishAt: null, unpublishAt: later });
    expect(await draft(id, "fr")).toMatchObject({ publishAt: later });
    await takeDueSteps(database(bindings.DB), Date.now(), () => undefined);
    expect((await draft(id, "de"))["statuses"]).toEqual({ en: "draft", de: "draft", fr: "draft" });
    await takeDueSteps(database(bindings.DB), Date.parse(later), () => undefined);
    expect((await draft(id, "de"))["statuses"]).toEqual({ en: "draft", de: "draft", fr: "published" });
  });

  it("filters and sorts by the publication of the locale", async () => {
    const own = await spaceWithDrafts();
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      const made = await own.call("POST", `${PATH}?locale=all`, {
        title: { en: name, de: name },
        lead: { en: name, de: name },
      });
      ids.push(String(made.data["id"]));
    }
    const [a, b] = ids as [string, string];
    await own.call("POST", `${PATH}/${b}/publish`, { locales: ["de"] });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await own.call("POST", `${PATH}/${a}/publish`);
    const find = async (query: string): Promise<unknown[]> =>
      (await own.call<Data[]>("GET", `${PATH}?${query}`)).data.map((one) => one["title"]);
    expect(await find("status=draft&locale=de&filter[status][eq]=published&sort=title")).toEqual(["a", "b"]);
    expect(await find("status=draft&filter[status][eq]=published&sort=title")).toEqual(["a"]);
    expect(await find("locale=de&sort=publishedAt")).toEqual(["b", "a"]);
    expect(await find("locale=de&sort=-publishedAt&count=true")).toEqual(["a", "b"]);
    expect(await find("locale=de&search=b")).toEqual(["b"]);
    expect(await find("search=b")).toEqual([]);
    expect(await find("sort=-publishedAt")).toEqual(["a"]);
  });

  it("publishes locales in a bulk", async () => {
    const id = await make({ title: { en: "Five", de: "Fünf" }, lead: { en: "a", de: "b" } });
    const done = await client.call("POST", `${PATH}/bulk`, {
      operations: [{ op: "publish", id, locales: ["de"] }],
    });
    expect(done.status).toBe(200);
    expect((await draft(id, "en"))["statuses"]).toEqual({ en: "draft", de: "published", fr: "draft" });
    const changed = await client.call("POST", `${PATH}/bulk?locale=de`, {
      operations: [
        { op: "update", id, data: { title: "Fünfte" } },
        { op: "create", data: { title: "Neu" } },
      ],
    });
    expect(changed.status).toBe(200);
    expect(await draft(id, "de")).toMatchObject({ title: "Fünfte", status: "changed" });
    expect(await draft(id, "en")).toMatchObject({ title: "Five" });
  });
});
