/**
 * Every tool, by every role and scope, with a model inside of the scope, one outside, and one that is not there (RULES 1.12,
 * 19.2). The tools come from their own table: a new one has to have a row here.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../../src/edge/routes/mcp/tools.ts";
import { ROLES, type Role } from "../../../src/edge/spaces/roles.ts";
import { ofRing } from "../../support/ring.ts";
import { Client } from "../support/api.ts";
import { makeMedia } from "../support/rows.ts";
import { use, type Told } from "./support.ts";

/** The scopes of the matrix. The model "things" is inside of each that names models, but for the last two. */
const SCOPES = {
  whole: {},
  "of the model": { models: ["things"] },
  "media none": { media: "none" },
  "media read": { media: "read" },
  "publishes nothing": { publish: false },
  "one locale": { locales: ["de"] },
  "another model": { models: ["others"] },
  "no model": { models: [] },
} as const;
type ScopeName = keyof typeof SCOPES;

interface Asked {
  /** The name of a model: inside of "of the model", outside of it, or of none. */
  model: string;
  /** A published record of the model, and a draft that no other cell touches; ids of nothing where there is no model. */
  published: string;
  draft: () => Promise<string>;
  picture: string;
}

interface Row {
  /** The lowest role. */
  role: Role;
  /** The part of the space that the tool is about. */
  about: "model" | "media" | "space";
  /** Whether it changes what readers see. */
  publishes?: true;
  /** Whether it changes or shows the values of the default locale when it names none. */
  isOfDefaultLocale?: true;
  args: (asked: Asked) => Promise<object> | object;
}

/** The rows, by the names of the tools. A locale is named where the tool takes one, so that "one locale" gets through. */
const ROWS: Record<string, Row> = {
  list_models: { role: "read", about: "space", args: () => ({}) },
  describe_model: { role: "read", about: "model", args: ({ model }) => ({ model }) },
  find_records: { role: "read", about: "model", args: ({ model }) => ({ model, locale: "de" }) },
  get_record: {
    role: "read",
    about: "model",
    args: ({ model, published: id }) => ({ model, id, locale: "de" }),
  },
  record_history: { role: "preview", about: "model", args: ({ model, published: id }) => ({ model, id }) },
  find_media: { role: "read", about: "media", args: () => ({ locale: "de" }) },
  picture_url: { role: "read", about: "media", args: ({ picture }) => ({ mediaId: picture, locale: "de" }) },
  space_usage: { role: "read", about: "space", args: () => ({}) },
  create_record: {
    role: "write",
    about: "model",
    args: ({ model }) => ({ model, locale: "de", fields: { word: "Wort" } }),
  },
  update_record: {
    role: "write",
    about: "model",
    args: async ({ model, draft }) => ({ model, id: await draft(), locale: "de", fields: { word: "neu" } }),
  },
  publish_record: {
    role: "write",
    about: "model",
    publishes: true,
    args: async ({ model, draft }) => ({ model, id: await draft(), locales: ["de"], locale: "de" }),
  },
  trash_record: {
    role: "write",
    about: "model",
    isOfDefaultLocale: true,
    args: async ({ model, draft }) => ({ model, id: await draft() }),
  },
  restore: {
    role: "write",
    about: "model",
    args: async ({ model, draft }) => ({
      model,
      id: await draft(),
      version: 1,
      locales: ["de"],
      locale: "de",
    }),
  },
};

const NONE = "0".repeat(26);
const MODELS = ["things", "others", "nowhere"] as const;

let client: Client;
let picture: string;
const published = new Map<string, string>();
const keys = new Map<string, string>();

beforeAll(async () => {
  client = await Client.make();
  await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
  for (const name of ["things", "others"]) {
    const fields = [
      { name: "title", type: "string" },
      { name: "word", type: "string", localized: true },
    ];
    await client.call("POST", "/models", { typeModel: "collections", name, drafts: true, fields });
    const id = await client.create(name, { title: "a" });
    await client.call("PATCH", `/data/collections/${name}/${id}?locale=de`, { word: "Wort" });
    const done = await client.call("POST", `/data/collections/${name}/${id}/publish`);
    expect(done.status).toBe(200);
    published.set(name, id);
  }
  picture = (await makeMedia(client.space)).id;
});

/** Returns the key of a role and scope. The role admin has no scopes. */
async function keyOf(role: Role, scope: ScopeName): Promise<string> {
  const name = `${role} ${scope}`;
  const known = keys.get(name);
  if (known !== undefined) return known;
  const scopes = scope === "whole" ? {} : { scopes: SCOPES[scope] };
  const { data, status } = await client.call("POST", "/keys", { name, role, ...scopes });
  expect(status).toBe(201);
  keys.set(name, String(data["key"]));
  return String(data["key"]);
}

async function newDraft(model: string): Promise<string> {
  if (model === "nowhere") return NONE;
  const id = await client.create(model, { title: "a" });
  await client.call("PATCH", `/data/collections/${model}/${id}?locale=de`, { word: "Wort" });
  return id;
}

async function call(tool: string, row: Row, key: string, model: string): Promise<Told> {
  const asked = { model, published: published.get(model) ?? NONE, draft: () => newDraft(model), picture };
  return use(client, key, tool, await row.args(asked));
}

const reaches = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);
const hasModel = (scope: ScopeName, model: string): boolean => {
  const { models } = { models: null, ...SCOPES[scope] } as { models: readonly string[] | null };
  return model !== "nowhere" && (models === null || models.includes(model));
};

/** Returns the code of the error that a cell has; null where the tool does what it is asked for. */
function expected(row: Row, role: Role, scope: ScopeName, model: string): string | null {
  if (!reaches(role, row.role)) return "FORBIDDEN";
  if (row.about === "media" && scope === "media none") return "NOT_FOUND";
  if (row.about === "model" && !hasModel(scope, model)) return "NOT_FOUND";
  if (row.publishes && scope === "publishes nothing") return "FORBIDDEN";
  if (row.isOfDefaultLocale && scope === "one locale") return "FORBIDDEN";
  return null;
}

const cells = TOOLS.flatMap(({ name }) =>
  ROLES.flatMap((role) =>
    (Object.keys(SCOPES) as ScopeName[])
      .filter((scope) => scope === "whole" || role !== "admin")
      .map((scope) => [name, role, scope] as const),
  ),
);

it("has a row for each tool", () => {
  expect(Object.keys(ROWS).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
});

describe("a tool does what the key may, and shows nothing outside of its scope", () => {
  it.each(ofRing(cells, 7))("%s, %s, %s", async (name, role, scope) => {
    const row = ROWS[name] as Row;
    const key = await keyOf(role, scope);
    const absent = await call(name, row, key, "nowhere");
    for (const model of MODELS) {
      const told = model === "nowhere" ? absent : await call(name, row, key, model);
      const code = expected(row, role, scope, model);
      const { error } = told as Partial<Told>;
      expect([model, told.isError, error?.code]).toEqual([model, code !== null, code ?? undefined]);
      // Outside of the scope it is as if it were not there, in words too.
      if (row.about === "model" && code === "NOT_FOUND") {
        expect([model, told.error.message, told.error.details]).toEqual([
          model,
          absent.error.message,
          absent.error.details,
        ]);
      }
    }
  });

  it.each(ofRing(Object.keys(SCOPES) as ScopeName[], 3))(
    "list_models lists the models inside: %s",
    async (scope) => {
      const { list } = await use(client, await keyOf("read", scope), "list_models");
      const inside = ["others", "things"].filter((model) => hasModel(scope, model));
      expect(list.map(({ name }) => name).sort()).toEqual(inside);
    },
  );
});

describe("a tool with a locale", () => {
  const taking = TOOLS.filter(({ name, takes }) => "locale" in takes.shape && ROWS[name] !== undefined);

  it.each(ofRing(taking, 3).map(({ name }) => name))("%s is refused outside of the locales", async (name) => {
    const row = ROWS[name] as Row;
    const asked = { model: "things", published: published.get("things") ?? "", picture };
    const args = await row.args({ ...asked, draft: () => newDraft("things") });
    // The list of a history has no values; a version has.
    const more = { locale: "en", ...(name === "record_history" && { version: 1 }) };
    const told = await use(client, await keyOf("write", "one locale"), name, { ...args, ...more });
    expect([told.isError, told.error.code]).toEqual([true, "FORBIDDEN"]);
  });
});
