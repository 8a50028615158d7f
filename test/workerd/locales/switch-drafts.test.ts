/** Drafts are switched on and off with the contents of every locale (RULES 3.14, 3.33). */
import { beforeEach, expect, it } from "vitest";
import { Client } from "../support/api.ts";

type Data = Record<string, unknown>;

const PATH = "/data/collections/posts";
const FIELDS = [
  { name: "title", type: "string", localized: true, searchable: true },
  { name: "rank", type: "number" },
];

let client: Client;
beforeEach(async () => {
  client = await Client.make();
  await client.call("PATCH", "/settings", { locales: ["en", "de", "fr"].map((code) => ({ code })) });
  await client.model("posts", FIELDS);
});

const make = async (title: Data, rank = 1): Promise<string> =>
  String((await client.call("POST", `${PATH}?locale=all`, { title, rank })).data["id"]);
const switchDrafts = (drafts: boolean, query = "") =>
  client.call("PUT", `/models/collections/posts${query}`, { fields: FIELDS, drafts });
const statuses = async (id: string): Promise<unknown> =>
  (await client.call("GET", `${PATH}/${id}?status=draft&locale=all`)).data["statuses"];
const found = async (query: string): Promise<unknown[]> =>
  (await client.call<Data[]>("GET", `${PATH}?${query}`)).data.map((one) => one["title"]);

it("publishes what every locale holds when drafts are switched on", async () => {
  const id = await make({ en: "Tree", de: "Baum" });
  const plain = await make({ en: "Bush" });
  const german = await make({ de: "Strauch" });
  expect((await switchDrafts(true)).status).toBe(200);
  expect(await statuses(id)).toEqual({ en: "published", de: "published", fr: "draft" });
  expect(await statuses(plain)).toEqual({ en: "published", de: "draft", fr: "draft" });
  const { data } = await client.call("GET", `${PATH}/${id}?locale=all`);
  expect(data).toMatchObject({ title: { en: "Tree", de: "Baum", fr: null } });
  expect((await client.call("GET", `${PATH}/${id}?locale=de`)).data).toMatchObject({ title: "Baum" });
  expect((await client.call("GET", `${PATH}/${plain}?locale=de`)).status).toBe(404);
  expect(await found("locale=de&sort=title")).toEqual(["Baum", "Strauch"]);
  expect(await found("locale=de&filter[title][eq]=Baum")).toEqual(["Baum"]);
  expect(await found("locale=de&search=strauch")).toEqual(["Strauch"]);
  await client.call("PUT", `${PATH}/${id}?locale=de`, { title: "Eiche" });
  expect(await statuses(id)).toEqual({ en: "published", de: "changed", fr: "draft" });
  expect((await client.call("GET", `${PATH}/${id}?locale=de`)).data).toMatchObject({ title: "Baum" });
  await client.call("DELETE", `${PATH}/${german}`);
  await client.call("POST", `/trash/${german}/restore`);
  expect((await client.call("GET", `${PATH}/${german}?locale=de`)).data).toMatchObject({ title: "Strauch" });
});

it("publishes the locales of trashed records, too", async () => {
  const id = await make({ en: "Gone", de: "Weg" });
  await client.call("DELETE", `${PATH}/${id}`);
  expect((await switchDrafts(true)).status).toBe(200);
  expect((await client.call("POST", `/trash/${id}/restore`)).status).toBe(200);
  expect((await client.call("GET", `${PATH}/${id}?locale=de`)).data).toMatchObject({ title: "Weg" });
  expect(await found("locale=de&filter[title][eq]=Weg")).toEqual(["Weg"]);
});

it("keeps drafts while a locale of a record has one that is not published", async () => {
  const id = await make({ en: "Tree", de: "Baum" });
  await switchDrafts(true);
  await client.call("PUT", `${PATH}/${id}?locale=de`, { title: "Eiche" });
  const refused = await switchDrafts(false);
  expect(refused.status).toBe(409);
  expect(refused.error.details?.[0]?.message).toContain("1 record has a draft that is not published");
  expect((await switchDrafts(false, "?dryRun=true")).data["conflicts"]).toMatchObject([
    { path: "drafts", records: 1 },
  ]);
  await client.call("POST", `${PATH}/${id}/publish`, { locales: ["de"] });
  expect(await statuses(id)).toEqual({ en: "published", de: "published", fr: "draft" });
  await client.call("PUT", `${PATH}/${id}?locale=fr`, { title: "Arbre" });
  expect((await switchDrafts(false)).status).toBe(409);
  // A locale that holds nothing and was never published has no draft.
  await client.call("PUT", `${PATH}/${id}?locale=fr`, { title: null });
  expect((await switchDrafts(false)).status).toBe(200);
  expect((await client.call("GET", `${PATH}/${id}?locale=all`)).data["title"]).toEqual({
    en: "Tree",
    de: "Eiche",
    fr: null,
  });
  // On again: the publications of the time before are gone.
  await client.call("PUT", `${PATH}/${id}?locale=de`, { title: "Linde" });
  expect((await switchDrafts(true)).status).toBe(200);
  expect(await statuses(id)).toEqual({ en: "published", de: "published", fr: "draft" });
  expect((await client.call("GET", `${PATH}/${id}?locale=de`)).data).toMatchObject({ title: "Linde" });
});
