/** Overwriting imports beside drafts: what is published, and what a draft is afterwards (RULES 18.4). */
import { beforeEach, describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { copied, exported, imported } from "../support/exchange.ts";

cleanBetweenTests();

const OVERWRITE = "?overwrite=true";
const DIFFERS = expect.stringMatching(/^DIFFERS/) as string;

type Line = Record<string, unknown> & { kind: string; locale?: string; data?: Record<string, unknown> };
const linesOf = async (client: Client): Promise<Line[]> =>
  (await exported(client)).lines.map((text) => JSON.parse(text) as Line);
const send = (client: Client, lines: readonly Line[], query = "") =>
  imported(
    client,
    lines.map((line) => JSON.stringify(line)),
    query,
  );

/** Returns the lines as an export writes them of records that are too long for one line: German texts stand apart. */
function apart(line: Line): Line[] {
  const { kind, typeModel, model, id, data = {} } = line;
  if (!["record", "published"].includes(kind)) return [line];
  const german = Object.entries(data).flatMap(([name, value]) => {
    const text = (value as { de?: unknown } | null)?.de;
    return text === undefined ? [] : [[name, text] as const];
  });
  if (german.length === 0) return [line];
  const own = Object.entries(data).map(([name, value]): [string, unknown] => {
    const { de, ...rest } = Object(value) as Record<string, unknown>;
    return [name, de === undefined ? value : rest];
  });
  const further = { kind, typeModel, model, id, locale: "de", data: Object.fromEntries(german) };
  return [{ ...line, apart: ["de"], data: Object.fromEntries(own) }, further];
}

let from: Client;
let to: Client;
let path: string;

const ok = async (reply: Promise<{ status: number; error?: unknown }>): Promise<void> => {
  const { status, error } = await reply;
  expect(status, JSON.stringify(error)).toBeLessThan(300);
};
/** Reads the draft, or as a visitor the published content. */
const read = async (client: Client, locale: string, isShown: boolean) =>
  isShown
    ? (await client.call("GET", `${path}?locale=${locale}`, undefined, { key: null })).data
    : (await client.call("GET", `${path}?locale=${locale}&status=draft`)).data;
const titles = async (client: Client, isShown: boolean) => [
  (await read(client, "en", isShown))["title"],
  (await read(client, "de", isShown))["title"],
];
const shown = (client: Client) => titles(client, true);
const drafted = (client: Client) => titles(client, false);

async function write(client: Client, en: string, de: string | null, isPublished = true): Promise<void> {
  await ok(client.call("PUT", path, { title: en }));
  await ok(client.call("PUT", `${path}?locale=de`, { title: de }));
  if (isPublished) await ok(client.call("POST", `${path}/publish`, { locales: ["en", "de"] }));
}

/** Makes a space with a record that is published in two locales, and a copy of it. */
async function makePair(lead: object): Promise<void> {
  [from, to] = [await Client.make(), await Client.make()];
  await ok(from.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] }));
  const title = { name: "title", type: "string", localized: true };
  const model = { typeModel: "collections", name: "posts", drafts: true, public: true };
  const named = { name: "named", type: "relation", to: "posts" };
  const fields = [title, { name: "lead", type: "string", ...lead }, named];
  await ok(from.call("POST", "/models", { ...model, fields }));
  path = `/data/collections/posts/${await from.create("posts", { title: "First" })}`;
  await write(from, "First", "Erster");
  await copied(from, to, (await exported(from)).lines);
  await write(from, "New", "Neu");
}

describe("an overwriting import of published contents", () => {
  beforeEach(() => makePair({}));

  it.each([
    ["with `apart`", true],
    ["of an earlier version, without `apart`", false],
  ])(
    "publishes a locale with the line that has its content, and no draft: lines %s",
    async (_name, isNamed) => {
      await write(to, "Other", "Anders");
      await write(to, "Draft", "Entwurf", false);
      const split = (await linesOf(from)).flatMap(apart);
      const lines = isNamed ? split : split.map((line): Line => ({ ...line, apart: undefined }));
      const published = lines.filter(({ kind, locale }) => kind === "published" && locale === undefined);
      const german = lines.filter(({ kind, locale }) => kind === "published" && locale === "de");
      expect([published.length, german.length]).toEqual([1, 1]);
      expect(await send(to, published, OVERWRITE)).toMatchObject({ imported: 1, refused: [] });
      expect(await shown(to)).toEqual(["New", "Anders"]);
      expect(await drafted(to)).toEqual(["Draft", "Entwurf"]);
      expect(await send(to, german)).toMatchObject({ imported: 0, refused: [{ message: DIFFERS }] });
      expect(await send(to, german, OVERWRITE)).toMatchObject({ imported: 1, refused: [] });
      expect(await shown(to)).toEqual(["New", "Neu"]);
      expect(await drafted(to)).toEqual(["Draft", "Entwurf"]);
      const whole = lines.filter(({ kind }) => kind !== "version");
      expect((await send(to, whole, OVERWRITE)).refused).toEqual([]);
      expect([await shown(to), await drafted(to)]).toEqual([
        ["New", "Neu"],
        ["New", "Neu"],
      ]);
      expect(await send(to, whole, OVERWRITE)).toMatchObject({ imported: 0, refused: [] });
    },
  );

  it("publishes a locale that was not, with its own line", async () => {
    await write(to, "Other", "Entwurf", false);
    await ok(to.call("POST", `${path}/unpublish`));
    const lines = (await linesOf(from)).flatMap(apart).filter(({ kind }) => kind === "published");
    await send(to, lines.slice(0, 1), OVERWRITE);
    expect(await read(to, "de", true)).toBeUndefined();
    expect(await send(to, lines.slice(1), OVERWRITE)).toMatchObject({ imported: 1, refused: [] });
    expect([await shown(to), await drafted(to)]).toEqual([
      ["New", "Neu"],
      ["Other", "Entwurf"],
    ]);
  });

  it("leaves a locale of the draft empty that was empty", async () => {
    await write(to, "Draft", null, false);
    const lines = (await linesOf(from)).filter(({ kind }) => kind === "published");
    expect(await send(to, lines, OVERWRITE)).toMatchObject({ imported: 1, refused: [] });
    expect([await shown(to), await drafted(to)]).toEqual([
      ["New", "Neu"],
      ["Draft", null],
    ]);
  });

  it("empties a locale that the line has published without a value, in the draft too", async () => {
    await write(to, "Other", "Anders");
    await write(from, "New", null);
    const lines = (await linesOf(from)).filter(({ kind }) => kind === "published" || kind === "record");
    const published = lines.filter(({ kind }) => kind === "published");
    expect(published[0]).toMatchObject({ editions: { de: {} }, data: { title: { en: "New" } } });
    expect(await send(to, published)).toMatchObject({ imported: 0, refused: [{ message: DIFFERS }] });
    expect(await send(to, published, OVERWRITE)).toMatchObject({ imported: 1, refused: [] });
    expect([await shown(to), await drafted(to)]).toEqual([
      ["New", null],
      ["Other", "Anders"],
    ]);
    expect((await send(to, lines, OVERWRITE)).refused).toEqual([]);
    expect(await drafted(to)).toEqual(["New", null]);
    expect(await send(to, lines, OVERWRITE)).toMatchObject({ imported: 0, refused: [] });
  });

  it("gives back a draft that names a record which is gone by now", async () => {
    const other = await to.create("posts", { title: "Named" });
    await ok(to.call("PUT", path, { title: "Draft", named: other }));
    await ok(to.call("DELETE", `/data/collections/posts/${other}`));
    const before = await read(to, "en", false);
    const lines = (await linesOf(from)).filter(({ kind }) => kind === "published");
    expect(await send(to, lines, OVERWRITE)).toMatchObject({ imported: 1, refused: [] });
    expect(await shown(to)).toEqual(["New", "Neu"]);
    expect(await read(to, "en", false)).toMatchObject({ title: "Draft", named: before["named"] });
    const after = (await linesOf(to)).find(
      ({ kind, data }) => kind === "record" && data?.["named"] === other,
    );
    expect(after).toMatchObject({ data: { title: { en: "Draft", de: "Erster" } } });
  });

  it("writes no locale's line into a record that differs", async () => {
    await write(to, "Other", null, false);
    const lines = (await linesOf(from)).flatMap(apart).filter(({ kind }) => kind === "record");
    const refused = [{ message: DIFFERS }, { message: DIFFERS }];
    expect(await send(to, lines)).toMatchObject({ imported: 0, refused });
    expect(await drafted(to)).toEqual(["Other", null]);
    // A content that is still to come is taken, with or without the line of its record.
    const third = await Client.make();
    const spaceAndModel = (await linesOf(from)).slice(0, 2);
    await send(third, [...spaceAndModel, ...lines.slice(0, 1)]);
    expect(await send(third, lines.slice(1))).toMatchObject({ imported: 1, refused: [] });
    expect(await drafted(third)).toEqual(["New", "Neu"]);
  });
});

describe.each([
  ["a required value", { required: true }, {}],
  ["a value that each locale must have", { localized: true, requiredIn: "all" }, { localized: true }],
])("an overwriting import of a published content without %s", (_name, asked, lead) => {
  it("is refused, and leaves draft, plans and publication", async () => {
    await makePair(lead);
    // The space has the value, and asks for it from now on.
    if (!("localized" in asked)) {
      await ok(to.call("PUT", path, { lead: "Lead" }));
      await ok(to.call("POST", `${path}/publish`, { locales: ["en"] }));
    }
    const { data } = await to.call<{ fields: object[] }>("GET", "/models/collections/posts");
    const [title, , named] = data.fields;
    const fields = [title, { name: "lead", type: "string", ...asked }, named];
    await ok(to.call("PUT", "/models/collections/posts", { fields }));
    await write(to, "Draft", "Entwurf", false);
    const at = new Date(Date.now() + 86_400_000).toISOString();
    await ok(to.call("POST", `${path}/unpublish`, { at, locales: ["de"] }));
    const before = (await linesOf(to)).slice(1);
    const lines = (await linesOf(from)).filter(({ kind }) => kind === "published");
    const { refused } = await send(to, lines, OVERWRITE);
    expect(refused).toMatchObject([{ message: expect.stringContaining("is required") as string }]);
    expect((await linesOf(to)).slice(1)).toEqual(before);
    expect(await shown(to)).toEqual(["First", "Erster"]);
  });
});

it("moves a record without a draft to the trash, and shows no visitor the content of the line", async () => {
  const [source, target] = [await Client.make(), await Client.make()];
  const fields = [{ name: "title", type: "string" }];
  await ok(source.call("POST", "/models", { typeModel: "collections", name: "posts", public: true, fields }));
  const id = await source.create("posts", { title: "Shown" });
  await copied(source, target, (await exported(source)).lines);
  await ok(source.call("PUT", `/data/collections/posts/${id}`, { title: "Secret" }));
  await ok(source.call("DELETE", `/data/collections/posts/${id}`));
  const lines = (await linesOf(source)).filter(({ kind }) => kind === "trash");
  const refused = [{ message: expect.stringMatching(/^DIFFERS.*trash/) as string }];
  expect(await send(target, lines, OVERWRITE)).toMatchObject({ imported: 0, refused });
  const after = await linesOf(target);
  expect(after.find(({ kind }) => kind === "trash")).toMatchObject({ id, data: { title: "Shown" } });
  expect(JSON.stringify(after)).not.toContain("Secret");
  expect(await send(target, lines, OVERWRITE)).toMatchObject({ imported: 0, refused: [{ path: "id" }] });
});
