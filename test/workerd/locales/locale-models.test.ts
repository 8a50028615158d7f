/** The effects of changes of locales and of models on values by locale (RULES 3.30, 3.31). */
import { beforeEach, describe, expect, it } from "vitest";
import { removeDroppedLocale } from "../../../src/edge/storage/spaces/space-locales.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

type Data = Record<string, unknown>;

const FIELDS = [
  { name: "title", type: "string", localized: true, searchable: true },
  { name: "note", type: "string", searchable: true },
  { name: "friend", type: "relation", to: "posts", localized: true },
];
const PATH = "/data/collections/posts";
const codes = (...list: string[]) => ({ locales: list.map((code) => ({ code })) });

describe("a space with locales", () => {
  let client: Client;
  let id: string;

  beforeEach(async () => {
    client = await Client.make();
    await client.call("PATCH", "/settings", codes("en", "de", "fr"));
    await client.model("posts", FIELDS);
    const made = await client.call("POST", `${PATH}?locale=all`, {
      title: { en: "Tree", de: "Baum" },
      note: "n1",
    });
    id = String(made.data["id"]);
  });

  const change = (fields: readonly object[], more: object = {}) =>
    client.call("PUT", "/models/collections/posts", { fields, ...more });
  const title = async (query: string) => (await client.call("GET", `${PATH}/${id}?${query}`)).data["title"];

  it.each([
    [{ locales: [{ code: "all" }] }, "locales.0.code"],
    [{ locales: [{ code: "x" }] }, "locales.0.code"],
    [{ locales: [{ code: "en" }, { code: "EN" }] }, "locales.1.code"],
    [{ locales: [{ code: "en", fallback: "es" }] }, "locales.0.fallback"],
    [{ locales: [{ code: "en", fallback: "en" }] }, "locales.0.fallback"],
    [
      {
        locales: [
          { code: "en", fallback: "de" },
          { code: "de", fallback: "en" },
        ],
      },
      "locales.0.fallback",
    ],
    [{ locales: [{ code: "en" }], dropLocales: ["en"] }, "dropLocales.0"],
  ])("refuses the setting %j", async (body, path) => {
    const { status, error } = await client.call("PATCH", "/settings", body);
    expect(status).toBe(400);
    expect(error.details?.map((one) => one.path)).toContain(path);
  });

  it("names the place of each locale that is none, and no other place", async () => {
    const locales = [{ code: "en" }, { code: "x", fallback: "y" }, { code: "y", fallback: "x" }];
    const { error } = await client.call("PATCH", "/settings", { locales });
    expect(error.details?.map(({ path }) => path)).toEqual([
      "locales.1.code",
      "locales.1.fallback",
      "locales.2.code",
      "locales.2.fallback",
    ]);
  });

  it("keeps a locale with values unless it is named, and gives them back with its code", async () => {
    expect((await client.call("PATCH", "/settings", codes("en", "de"))).status).toBe(200);
    expect((await client.call("PATCH", "/settings", codes("en"))).status).toBe(409);
    await client.call("DELETE", `${PATH}/${id}`);
    expect((await client.call("PATCH", "/settings", codes("en"))).status).toBe(409);
    await client.call("POST", `/trash/${id}/restore`);
    expect((await client.call("PATCH", "/settings", { ...codes("en"), dropLocales: ["de"] })).status).toBe(
      200,
    );
    expect((await client.call("GET", `${PATH}/${id}?locale=de`)).status).toBe(400);
    expect((await client.call("PATCH", "/settings", codes("en", "es", "de"))).status).toBe(200);
    expect(await title("locale=de")).toBe("Baum");
    expect(await title("locale=es")).toBeNull();
    const found = await client.call<Data[]>("GET", `${PATH}?locale=de&filter[title][eq]=Baum`);
    expect(found.data).toHaveLength(1);
  });

  it("forgets a dropped locale once it is kept no longer", async () => {
    await client.call("PATCH", "/settings", { ...codes("en"), dropLocales: ["de"] });
    const db = database(bindings.DB);
    const later = Date.now() + 400 * 86_400_000;
    for (let slice = 0; slice < 100; slice++)
      if ((await removeDroppedLocale(db, later, 100)) === "none") break;
    await client.call("PATCH", "/settings", codes("en", "de"));
    expect(await title("locale=de")).toBeNull();
    expect(await title("locale=en")).toBe("Tree");
  });

  it("forgets the values of a locale that returns, or others change, once they are kept no longer", async () => {
    await client.call("PATCH", "/settings", { ...codes("en"), dropLocales: ["de"] });
    await bindings.DB.prepare(
      "UPDATE spaces SET locales = json_set(locales, '$.dropped.de.until', 1) WHERE name = ?",
    )
      .bind(client.space.name)
      .run();
    // Before the sweep comes.
    await client.call("PATCH", "/settings", codes("en", "fr"));
    await client.call("PATCH", "/settings", codes("en", "fr", "de"));
    expect(await title("locale=de")).toBeNull();
    await client.call("PUT", `${PATH}/${id}?locale=de`, { title: "Eiche" });
    const db = database(bindings.DB);
    for (let slice = 0; slice < 100; slice++)
      if ((await removeDroppedLocale(db, Date.now(), 100)) === "none") break;
    const left = await bindings.DB.prepare(
      "SELECT l.data FROM record_locales l JOIN records r ON r.seq = l.record WHERE r.id = ?",
    )
      .bind(id)
      .all<{ data: string }>();
    expect(
      left.results.map(({ data }) => Object.values(JSON.parse(data) as Record<string, unknown>)),
    ).toEqual([["Eiche"]]);
    expect(await title("locale=de")).toBe("Eiche");
  });

  it("keeps the default while a field is localized, and plain values when all locales go", async () => {
    expect((await client.call("PATCH", "/settings", codes("de", "en", "fr"))).status).toBe(409);
    expect((await client.call("PATCH", "/settings", { locales: [], dropLocales: ["de"] })).status).toBe(200);
    const plain = await client.call("GET", `${PATH}/${id}`);
    expect(plain.data).toMatchObject({ title: "Tree", note: "n1" });
    expect(plain.data).not.toHaveProperty("locale");
    expect((await client.call("PUT", `${PATH}/${id}`, { title: "Bush" })).data).toMatchObject({ version: 2 });
    expect((await client.call("GET", `${PATH}/${id}/versions/1`)).data["record"]).toMatchObject({
      title: "Tree",
    });
  });

  it("reserves names", async () => {
    const made = await client.call("POST", "/models", {
      ...{ typeModel: "collections", name: "others", fields: [{ name: "locale", type: "string" }] },
    });
    expect(made.error.details?.map(({ path }) => path)).toEqual(["fields.0.name"]);
    const plain = await Client.make();
    await plain.model("others", [{ name: "statuses", type: "string" }]);
    expect((await plain.call("PATCH", "/settings", codes("en"))).status).toBe(409);
  });

  it("makes a field the same in all locales only if its values may be lost, and then for good", async () => {
    const shared = FIELDS.map((field) => ({ ...field, localized: field.name === "friend" }));
    const refused = await change(shared);
    expect(refused.status).toBe(409);
    expect(refused.error.message).toContain("title@de");
    // Codes are compared without case.
    expect((await change(shared, { drop: ["title@DE"] })).status).toBe(200);
    expect(await title("locale=de")).toBe("Tree");
    const found = await client.call<Data[]>("GET", `${PATH}?locale=de&search=tree`);
    expect(found.data).toHaveLength(1);
    expect((await change(FIELDS)).status).toBe(200);
    expect(await title("locale=de")).toBeNull();
    expect(await title("locale=en")).toBe("Tree");
    expect((await client.call<Data[]>("GET", `${PATH}?locale=de&search=baum`)).data).toEqual([]);
    expect((await client.call<Data[]>("GET", `${PATH}?locale=de&search=n1`)).data).toHaveLength(1);
  });

  it("gives the values of a field that becomes localized to the default locale", async () => {
    const all = FIELDS.map((field) => ({ ...field, localized: true }));
    expect((await change(all)).status).toBe(200);
    const { data } = await client.call("GET", `${PATH}/${id}?locale=all`);
    expect(data["note"]).toEqual({ en: "n1", de: null, fr: null });
    expect((await client.call<Data[]>("GET", `${PATH}?locale=de&search=n1`)).data).toEqual([]);
  });

  it("names the locales of a field that would be removed with values", async () => {
    const only = await client.call("POST", `${PATH}?locale=all`, { title: { fr: "Arbre" } });
    expect(only.status).toBe(201);
    await client.call("PUT", `${PATH}/${id}?locale=all`, { title: { en: null, de: null } });
    const rest = FIELDS.filter(({ name }) => name !== "title");
    const refused = await change(rest);
    expect(refused.status).toBe(409);
    expect((await change(rest, { drop: ["title"] })).status).toBe(200);
  });

  it("counts references of every locale, and expands those of the one that is read", async () => {
    const other = await client.call("POST", `${PATH}?locale=all`, { title: { en: "Other", de: "Andere" } });
    const target = String(other.data["id"]);
    await client.call("PUT", `${PATH}/${id}?locale=de`, { friend: target });
    const named = await client.call<Data[]>("GET", `${PATH}/${target}/references`);
    expect(named.data).toEqual([expect.objectContaining({ id, fields: ["friend"] })]);
    expect((await client.call("DELETE", `${PATH}/${target}?ifUnreferenced=true`)).status).toBe(409);
    const german = await client.call("GET", `${PATH}/${id}?locale=de&populate=friend`);
    expect(german.data["friend"]).toMatchObject({ title: "Andere", locale: "de" });
    expect((await client.call("GET", `${PATH}/${id}?populate=friend`)).data["friend"]).toBeNull();
    const all = await client.call("GET", `${PATH}/${id}?locale=all&populate=friend`);
    expect(all.data["friend"]).toMatchObject({ en: null, de: { title: { en: "Other", de: "Andere" } } });
    const through = await client.call<Data[]>("GET", `${PATH}?locale=de&filter[friend.title][eq]=Andere`);
    expect(through.data.map((one) => one["id"])).toEqual([id]);
  });
});
