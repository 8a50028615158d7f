/** A document of models, planned and applied over HTTP (RULES 3.34). */
import { describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { apply, plan } from "../support/models-document.ts";

const actions = ({ changes }: { changes: Record<string, unknown>[] }): unknown[][] =>
  changes.map(({ action, model, settings }) => [action, model ?? settings]);

const title = { name: "title", type: "string" };

describe("a document", () => {
  it("makes components and targets first, and circles in two steps, whatever its order", async () => {
    const client = await Client.make();
    const document = {
      models: [
        { typeModel: "pages", name: "home", fields: [{ name: "lead", type: "relation", to: "posts" }] },
        {
          typeModel: "collections",
          name: "posts",
          titleField: "title",
          fields: [
            title,
            { name: "author", type: "relation", to: "people" },
            { name: "cta", type: "component", component: "cta" },
          ],
        },
        {
          typeModel: "collections",
          name: "people",
          fields: [{ name: "best", type: "relation", to: "posts" }],
        },
        { typeModel: "components", name: "cta", fields: [{ name: "to", type: "relation", to: "people" }] },
      ],
    };
    const planned = await plan(client, document);
    expect(actions(planned.data)).toEqual([
      ["create", "home"],
      ["create", "posts"],
      ["create", "people"],
      ["create", "cta"],
    ]);
    expect(planned.data.conflicts).toEqual([]);
    const applied = await apply(client, document);
    expect(applied).toMatchObject({ isComplete: true, changes: planned.data.changes });
    const posts = await client.call<{ fields: object[]; titleField: string }>(
      "GET",
      "/models/collections/posts",
    );
    expect(posts.data).toMatchObject({ titleField: "title", fields: document.models[1]?.fields });
    expect(new Set(actions((await plan(client, document)).data).map(([action]) => action))).toEqual(
      new Set(["none"]),
    );
    expect((await apply(client, document)).changes).toEqual([]);
  });

  it("renames by renamedFrom once, and keeps the values", async () => {
    const client = await Client.make();
    await client.model("posts", [title]);
    const id = await client.create("posts", { title: "Kept" });
    const document = {
      models: [
        {
          typeModel: "collections",
          name: "posts",
          fields: [{ name: "headline", type: "string", renamedFrom: "title" }, title],
        },
      ],
    };
    const [change] = (await plan(client, document)).data.changes;
    expect(change).toMatchObject({
      renamed: { title: "headline" },
      added: ["title"],
      removed: [],
      changed: [],
    });
    await apply(client, document);
    expect((await client.call("GET", `/data/collections/posts/${id}`)).data).toMatchObject({
      headline: "Kept",
      title: null,
    });
    expect((await apply(client, document)).changes).toEqual([]);
  });

  it("leaves unnamed models and settings alone, and gives an option that is left out its default", async () => {
    const client = await Client.make();
    await client.model("other", [title]);
    await client.call("POST", "/models", {
      ...{ typeModel: "collections", name: "posts", label: "Posts", drafts: true, fields: [title] },
    });
    await client.call("PATCH", "/settings", { quality: 90 });
    const applied = await apply(client, {
      settings: { compression: false },
      models: [{ typeModel: "collections", name: "posts", fields: [title] }],
    });
    expect(applied.changes).toEqual([
      { action: "change", settings: ["compression"] },
      expect.objectContaining({ model: "posts", options: ["label", "drafts"] }),
    ]);
    expect((await client.call("GET", "/settings")).data).toMatchObject({ compression: false, quality: 90 });
    expect((await client.call("GET", "/models/collections/posts")).data).toMatchObject({
      label: null,
      drafts: false,
    });
    expect((await client.call("GET", "/models/collections/other")).status).toBe(200);
  });

  it("is 412 when the space has moved on, or for another document", async () => {
    const client = await Client.make();
    const document = { models: [{ typeModel: "collections", name: "posts", fields: [title] }] };
    const { hash } = (await plan(client, document)).data;
    const other = { models: [{ typeModel: "collections", name: "notes", fields: [title] }] };
    expect((await client.call("POST", "/models/apply", { ...other, hash })).status).toBe(412);
    await client.model("meanwhile", [title]);
    const stale = await client.call("POST", "/models/apply", { ...document, hash });
    expect([stale.status, stale.error.code]).toEqual([412, "PRECONDITION_FAILED"]);
    expect((await client.call("GET", "/models/collections/posts")).status).toBe(404);
  });

  it("lists every fault with its place in the document", async () => {
    const client = await Client.make();
    const reply = await plan(client, {
      settings: { locales: [{ code: "nonsense!" }] },
      models: [
        {
          typeModel: "collections",
          name: "posts",
          fields: [title, { name: "by", type: "relation", to: "nobody" }],
        },
        { typeModel: "collections", name: "notes", titleField: "none", fields: [title, title] },
      ],
    });
    expect(reply.status).toBe(400);
    expect(reply.error.details?.map(({ path }) => path).sort()).toEqual([
      "models.0.fields.1.to",
      "models.1.fields.1.name",
      "models.1.titleField",
      "settings.locales.0.code",
    ]);
  });

  it("needs an admin", async () => {
    const client = await Client.make();
    const key = await client.key("write");
    for (const path of ["/models/plan", "/models/apply"])
      expect((await client.call("POST", path, { models: [], hash: "" }, { key })).status).toBe(403);
  });
});
