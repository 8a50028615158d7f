/** The losses by a document of models: values of fields and of locales go only by their names (RULES 3.34). */
import { describe, expect, it } from "vitest";
import { applyDocument } from "../../../src/edge/models/document/apply-document.ts";
import type { ModelsDocument } from "../../../src/edge/models/document/document.ts";
import { planDocument } from "../../../src/edge/models/document/plan-document.ts";
import { countedD1, database } from "../../../src/edge/storage/database/database.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";
import { readSpaceById } from "../../../src/edge/storage/spaces/spaces.ts";
import { Client } from "../support/api.ts";
import { afterOther } from "../support/import-run.ts";
import { apply, plan } from "../support/models-document.ts";
import { bindings } from "../support/rows.ts";

const title = { name: "title", type: "string" };

describe("a document", () => {
  it("drops a field with values only by allowDrop", async () => {
    const client = await Client.make();
    await client.model("posts", [title, { name: "legacy", type: "string" }]);
    await client.create("posts", { title: "A", legacy: "old" });
    const document = { models: [{ typeModel: "collections", name: "posts", fields: [title] }] };
    const { hash, conflicts } = (await plan(client, document)).data;
    expect(conflicts).toEqual([
      {
        path: "posts.legacy",
        message: expect.stringMatching(
          /^would be removed, and 1 record holds values; lose them by "posts.legacy" in allowDrop/,
        ) as string,
        loss: { name: "posts.legacy", fact: "would be removed, and 1 record holds values" },
      },
    ]);
    const refused = await client.call("POST", "/models/apply", { ...document, hash });
    expect([refused.status, refused.error.details]).toEqual([409, conflicts]);
    expect((await client.call<{ version: number }>("GET", "/models/collections/posts")).data.version).toBe(1);
    const applied = await apply(client, document, ["posts.legacy"]);
    expect(applied.changes).toMatchObject([{ action: "change", removed: ["legacy"] }]);
  });

  it("drops a field of one of two models with the same name only by the name with its type", async () => {
    const client = await Client.make();
    const legacy = { name: "legacy", type: "string" };
    await client.model("home", [title, legacy]);
    await client.call("POST", "/models", { typeModel: "pages", name: "home", fields: [title, legacy] });
    const id = await client.create("home", { title: "A", legacy: "of the record" });
    const model = (typeModel: string, fields: object[]): object => ({ typeModel, name: "home", fields });
    await client.call("PUT", "/data/pages/home/home", { legacy: "of the page" });
    const document = { models: [model("collections", [title]), model("pages", [title])] };
    const { conflicts, hash } = (await plan(client, document)).data;
    expect(conflicts).toMatchObject([
      {
        path: "collections/home.legacy",
        message: expect.stringContaining('lose them by "collections/home.legacy" in allowDrop') as string,
        loss: { name: "collections/home.legacy" },
      },
      {
        path: "pages/home.legacy",
        message: expect.stringContaining('lose them by "pages/home.legacy" in allowDrop') as string,
      },
    ]);
    const short = { ...document, allowDrop: ["home.legacy"] };
    for (const [path, body] of [
      ["/models/plan", short],
      ["/models/apply", { ...short, hash }],
    ] as const) {
      const refused = await client.call("POST", path, body);
      expect([refused.status, refused.error.details]).toEqual([
        400,
        [
          {
            path: "allowDrop.0",
            message: 'is the name of several models: write "collections/home.legacy" or "pages/home.legacy"',
          },
        ],
      ]);
    }
    const half = (await plan(client, { ...document, allowDrop: ["pages/home.legacy"] })).data;
    expect(half.conflicts.map(({ path }) => path)).toEqual(["collections/home.legacy"]);
    // A document with one of them takes both names, and leaves the other one alone.
    const one = { models: [model("pages", [title])] };
    expect((await plan(client, { ...one, allowDrop: ["home.legacy"] })).data.conflicts).toEqual([]);
    expect((await apply(client, one, ["pages/home.legacy"])).isComplete).toBe(true);
    expect((await client.call("GET", `/data/collections/home/${id}`)).data).toMatchObject({
      legacy: "of the record",
    });
  });

  it("names values that came into the space since the plan as allowDrop does", async () => {
    const client = await Client.make();
    const legacy = { name: "legacy", type: "string" };
    await client.model("home", [title, legacy]);
    await client.call("POST", "/models", { typeModel: "pages", name: "home", fields: [title] });
    const id = await client.create("home", { title: "A" });
    const space = await readSpaceById(database(bindings.DB), client.space.id);
    if (!space) throw new Error("no space");
    const models = ["collections", "pages"].map((typeModel) => ({
      typeModel,
      name: "home",
      fields: [title],
    }));
    const asked = { document: { models } as unknown as ModelsDocument, allowDrop: [] };
    const since = afterOther(bindings.DB, () =>
      client.call("PUT", `/data/collections/home/${id}`, { legacy: "of an editor" }),
    );
    const queries = { queries: 0 };
    const db = database(countedD1(since, queries));
    const writing = { db, space, origin: OF_SYSTEM, now: Date.now(), queries };
    const { hash, conflicts } = await planDocument(writing, asked);
    expect(conflicts).toEqual([]);
    await expect(applyDocument(writing, asked, hash)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining('lose them by "collections/home.legacy" in allowDrop') as string,
      details: [
        {
          path: "collections/home.legacy",
          loss: {
            name: "collections/home.legacy",
            fact: expect.stringContaining("1 record holds") as string,
          },
        },
      ],
    });
    expect((await client.call("GET", `/data/collections/home/${id}`)).data).toMatchObject({
      legacy: "of an editor",
    });
  });

  it("changes locales after a field has given up a reserved name", async () => {
    const client = await Client.make();
    await client.model("posts", [{ name: "locale", type: "string" }]);
    const document = {
      settings: { locales: [{ code: "en" }, { code: "de-at", fallback: "en" }] },
      models: [
        {
          ...{ typeModel: "collections", name: "posts" },
          fields: [{ name: "language", type: "string", localized: true, renamedFrom: "locale" }],
        },
      ],
    };
    expect((await plan(client, { settings: document.settings, models: [] })).data.conflicts).toMatchObject([
      { path: "settings.locales" },
    ]);
    await apply(client, document);
    expect((await client.call("GET", "/settings")).data).toMatchObject({
      locales: [{ code: "en" }, { code: "de-AT", fallback: "en" }],
    });
    expect((await apply(client, document)).changes).toEqual([]);
    // A locale with values goes only by its name in allowDrop.
    const id = await client.create("posts", {});
    await client.call("PUT", `/data/collections/posts/${id}?locale=de-AT`, { language: "Servus" });
    const without = { ...document, settings: { locales: [{ code: "en" }] } };
    expect((await plan(client, without)).data.conflicts).toMatchObject([
      {
        path: "settings.locales",
        message: expect.stringContaining('; lose them by "@de-AT" in allowDrop') as string,
      },
    ]);
    await apply(client, without, ["@de-AT"]);
    // All locales go first, so that their names are free for fields.
    const none = {
      settings: { locales: [] },
      models: [{ typeModel: "collections", name: "posts", fields: [{ name: "statuses", type: "string" }] }],
    };
    expect((await apply(client, none, ["posts.language"])).isComplete).toBe(true);
  });

  it("names the locale that values came into since the plan as allowDrop names it", async () => {
    const client = await Client.make();
    await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
    const fields = [{ ...title, localized: true }];
    await client.call("POST", "/models", { typeModel: "collections", name: "posts", fields });
    const id = await client.create("posts", { title: "A" });
    const space = await readSpaceById(database(bindings.DB), client.space.id);
    if (!space) throw new Error("no space");
    const models = [{ typeModel: "collections", name: "posts", fields }];
    const document = { settings: { locales: [{ code: "en" }] }, models };
    const asked = { document: document as unknown as ModelsDocument, allowDrop: [] };
    const since = afterOther(bindings.DB, () =>
      client.call("PUT", `/data/collections/posts/${id}?locale=de`, { title: "B" }),
    );
    const queries = { queries: 0 };
    const db = database(countedD1(since, queries));
    const writing = { db, space, origin: OF_SYSTEM, now: Date.now(), queries };
    const { hash, conflicts } = await planDocument(writing, asked);
    expect(conflicts).toEqual([]);
    await expect(applyDocument(writing, asked, hash)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining('lose them by "@de" in allowDrop') as string,
      details: [{ path: "settings.locales", loss: { name: "@de" } }],
    });
  });
});
