/** Lines of records whose further locales are empty, as importers write them too (RULES 18.4). */
import { beforeEach, describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { exported, imported } from "../support/exchange.ts";

cleanBetweenTests();

const ID = "01JD00000000000000000000AA";
const AT = "2026-01-02T03:04:05.000Z";
const PATH = `/data/collections/posts/${ID}`;
const DIFFERS = expect.stringMatching(/^DIFFERS/) as string;

const ADDRESS = { typeModel: "collections", model: "posts", id: ID };
const OUT = { version: 1, publishedVersion: 1, publishedAt: AT, firstPublishedAt: AT };
const CONTENT = { ...OUT, editions: { en: { version: 1 }, de: OUT }, data: { title: { en: "First" } } };
const RECORD = { kind: "record", ...ADDRESS, createdAt: AT, updatedAt: AT, ...CONTENT };
const PUBLISHED = { kind: "published", ...ADDRESS, updatedAt: AT, ...CONTENT };
const GERMAN = { kind: "record", ...ADDRESS, locale: "de", data: { title: "Erster" } };

let client: Client;
beforeEach(async () => {
  client = await Client.make();
  await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
  const fields = [{ name: "title", type: "string", localized: true }];
  await client.call("POST", "/models", { typeModel: "collections", name: "posts", drafts: true, fields });
});

const send = (...lines: object[]) =>
  imported(
    client,
    lines.map((line) => JSON.stringify(line)),
  );
const titleIn = async (locale: string): Promise<unknown> =>
  (await client.call("GET", `${PATH}?locale=${locale}&status=draft`)).data["title"];

describe("a line whose contents are all on it", () => {
  const lines = [RECORD, PUBLISHED].map((line) => ({ ...line, apart: [] }));

  it("leaves no room for a line of a locale that it says to be empty", async () => {
    expect(await send(...lines)).toMatchObject({ imported: 2, refused: [] });
    expect(await send(GERMAN, { ...GERMAN, kind: "published" })).toMatchObject({
      imported: 0,
      refused: [{ message: DIFFERS }, { message: DIFFERS }],
    });
    expect([await titleIn("en"), await titleIn("de")]).toEqual(["First", null]);
  });

  it("differs from what an editor has written in that locale, and comes out of an export as it went in", async () => {
    await send(...lines);
    const written = (await exported(client)).lines.filter((line) => line.includes(ID));
    expect(written.map((line) => JSON.parse(line) as object)).toEqual(lines);
    expect(await send(...lines)).toMatchObject({ imported: 0, unchanged: 2, refused: [] });
    expect((await client.call("PUT", `${PATH}?locale=de`, { title: "Erster" })).status).toBe(200);
    expect(await send(...lines)).toMatchObject({ unchanged: 1, refused: [{ line: 1, message: DIFFERS }] });
    expect(await titleIn("de")).toBe("Erster");
  });
});

it("a line that names a locale apart waits for the content of that locale alone", async () => {
  expect(await send({ ...RECORD, apart: ["de"] }, GERMAN)).toMatchObject({ imported: 2, refused: [] });
  expect(await titleIn("de")).toBe("Erster");
});

it("a line of an earlier version, without `apart`, waits for the contents of all locales", async () => {
  expect(await send(RECORD, GERMAN)).toMatchObject({ imported: 2, refused: [] });
  expect(await titleIn("de")).toBe("Erster");
});
