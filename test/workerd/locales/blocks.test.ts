/** Blocks and rich text that differ by locale: each locale has components of its own (RULES 3.31). */
import { expect, it } from "vitest";
import { CONTENT } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

it("writes and shows components in a locale that is not the default", async () => {
  const client = await Client.make();
  await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
  const fields = [{ name: "said", type: "string", required: true }];
  await client.call("POST", "/models", { typeModel: "components", name: "quote", fields });
  const held = { components: ["quote"], localized: true };
  const page = [
    { name: "sections", type: "blocks", ...held },
    { name: "body", type: "richtext", ...held },
  ];
  await client.call("POST", "/models", { typeModel: "collections", name: "sheets", fields: page });
  const of = (said: string): object => ({
    sections: [{ _type: "quote", _key: "a", said }],
    body: [{ _type: "quote", _key: "b", said }],
  });
  const made = await client.call("POST", "/data/collections/sheets", of("Come in"));
  const path = `/data/collections/sheets/${String(made.data["id"])}`;
  expect((await client.call("PUT", `${path}?locale=de`, of("Herein"))).status).toBe(200);
  expect((await client.call("GET", `${path}?locale=de`)).data).toMatchObject(of("Herein"));
  expect((await client.call("GET", path)).data).toMatchObject(of("Come in"));
});

/** Makes a model with drafts whose sheets hold quotes, each of which must say something: in blocks of every language, and shared. */
async function sheetsWithDrafts(): Promise<Client> {
  const client = await Client.make();
  await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }, { code: "fr" }] });
  await client.call("POST", "/models", {
    typeModel: "components",
    name: "quote",
    fields: [
      { name: "said", type: "string", required: true },
      { name: "by", type: "string" },
    ],
  });
  const fields = [
    { name: "title", type: "string" },
    { name: "sections", type: "blocks", components: ["quote"], localized: true },
    { name: "motto", type: "component", component: "quote" },
  ];
  await client.call("POST", "/models", { typeModel: "collections", name: "sheets", fields, drafts: true });
  return client;
}
const SHEETS = "/data/collections/sheets";
const section = (said: string | null): object[] => [{ _type: "quote", _key: "a", said, by: "Ada" }];

it("publishes a locale only with what its components require (RULES 3.33)", async () => {
  const client = await sheetsWithDrafts();
  const made = await client.call("POST", `${SHEETS}?locale=all`, {
    sections: { en: section("Come in"), de: section(null), fr: section("Entrez") },
  });
  expect(made.status).toBe(201);
  const path = `${SHEETS}/${String(made.data["id"])}`;
  const publish = (body: object) =>
    client.call<{ details?: { path: string }[] }>("POST", `${path}/publish`, body);
  const pathsOf = async (body: object): Promise<unknown> => {
    const { status, error } = await publish(body);
    return [status, status === 200 ? undefined : error.details?.map((one) => one.path)];
  };
  expect(await pathsOf({})).toEqual([400, ["sections@de.0.said"]]);
  expect(await pathsOf({ locales: ["de"] })).toEqual([400, ["sections@de.0.said"]]);
  expect((await publish({ locales: ["fr"] })).status).toBe(200);
  // The default locale and the shared fields, which go live with it.
  await client.call("PUT", `${path}?locale=en`, { sections: section(null), motto: { by: "Ada" } });
  expect(await pathsOf({ locales: ["en"] })).toEqual([400, ["sections.0.said", "motto.said"]]);
  // The shared fields are published already, and French leaves them as they are.
  expect(await pathsOf({ locales: ["fr"] })).toEqual([200, undefined]);
  await client.call("PUT", `${path}?locale=de`, { sections: section("Herein") });
  expect((await publish({ locales: ["de"] })).status).toBe(200);
});

/** Makes as many sheets in German, each with one section. @returns their ids */
async function germanSheets(client: Client, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const made = await client.call("POST", `${SHEETS}?locale=de`, { sections: section(`Nummer ${n}`) });
    ids.push(String(made.data["id"]));
  }
  return ids;
}

/** Writes into the database that each content of records in a locale has so many bytes. */
const setBytes = (ids: readonly string[], bytes: number) =>
  bindings.DB.prepare(
    `UPDATE record_locales SET size_bytes = ?1
      WHERE record IN (SELECT seq FROM records WHERE id IN (SELECT value FROM json_each(?2)))`,
  )
    .bind(bytes, JSON.stringify(ids))
    .run();

const { publishedTogetherMaxBytes } = CONTENT;
const inGerman = (op: "publish" | "unpublish", id: string): object => ({ op, id, locales: ["de"] });

it("refuses to publish records together that are larger than a request may read", async () => {
  const client = await sheetsWithDrafts();
  const ids = await germanSheets(client, 2);
  const operations = ids.map((id) => inGerman("publish", id));
  const bulk = () => client.call("POST", `${SHEETS}/bulk`, { operations });
  await setBytes(ids, publishedTogetherMaxBytes / 2 + 1);
  expect((await bulk()).status).toBe(400);
  await setBytes(ids, publishedTogetherMaxBytes / 2);
  expect((await bulk()).status).toBe(200);
});

it("counts only the records that a bulk publishes", async () => {
  const client = await sheetsWithDrafts();
  const [published = "", changed = "", gone = ""] = await germanSheets(client, 3);
  const bulk = async (operations: object[]) =>
    (await client.call("POST", `${SHEETS}/bulk`, { operations })).status;
  await setBytes([published, changed, gone], publishedTogetherMaxBytes / 2 + 1);
  const mixed = [
    inGerman("publish", published),
    { op: "update", id: changed, data: { title: "Changed" } },
    { op: "delete", id: gone },
  ];
  expect(await bulk(mixed)).toBe(200);
  expect(await bulk([inGerman("publish", changed)])).toBe(200);
  await setBytes([published, changed], publishedTogetherMaxBytes / 2 + 1);
  expect(await bulk([published, changed].map((id) => inGerman("unpublish", id)))).toBe(200);
});

it("reads the components of a draft only to publish it now", async () => {
  const client = await sheetsWithDrafts();
  const [id = ""] = await germanSheets(client, 1);
  const step = async (name: "publish" | "unpublish", body: object) =>
    (await client.call("POST", `${SHEETS}/${id}/${name}`, body)).status;
  expect(await step("publish", {})).toBe(200);
  await client.call("PATCH", `${SHEETS}/${id}?locale=de`, { sections: section("Anders") });
  // The service refuses to read so much, so each step that it takes reads no content.
  await setBytes([id], publishedTogetherMaxBytes + 1);
  expect(await step("publish", {})).toBe(400);
  for (const name of ["publish", "unpublish"] as const) {
    expect([name, await step(name, { at: new Date(Date.now() + 3_600_000).toISOString() })]).toEqual([
      name,
      200,
    ]);
    expect([name, await step(name, { at: null })]).toEqual([name, 200]);
  }
  expect(await step("unpublish", {})).toBe(200);
});
