/** The option `previewUrl` of a model, over HTTP (RULES 3.36). */
import { beforeEach, describe, expect, it } from "vitest";
import { CONTENT } from "../../../src/limits.ts";
import { Client, type Reply } from "../support/api.ts";

const URL_OF_SITE = "https://www.example.com/blog/{slug}?lang={locale}&id={id}&m={model}#{token}";
const PATH = "/models/collections/posts";
const slug = { name: "slug", type: "string" };
const title = { name: "title", type: "string" };
const body = { name: "body", type: "text" };

interface Model {
  previewUrl: string | null;
  version: number;
}

let client: Client;
beforeEach(async () => {
  client = await Client.make();
});

const make = (previewUrl: unknown, parts: object = {}): Promise<Reply<Model>> =>
  client.call<Model>("POST", "/models", {
    ...{ typeModel: "collections", name: "posts", fields: [slug, title, body], previewUrl },
    ...parts,
  });
const change = (parts: object, query = ""): Promise<Reply<Model>> =>
  client.call<Model>("PUT", `${PATH}${query}`, { fields: [slug, title, body], ...parts });
const stored = async (): Promise<string | null> => (await client.call<Model>("GET", PATH)).data.previewUrl;
const faults = ({ status, error }: Reply<Model>): unknown[] => [
  status,
  ...(error.details ?? []).map(({ path, message }) => `${path} ${message}`),
];

describe("previewUrl of a model (RULES 3.36)", () => {
  it("is null by default, and is set, kept by a change that leaves it out, and removed by null", async () => {
    expect((await make(undefined)).data.previewUrl).toBeNull();
    expect((await change({ previewUrl: URL_OF_SITE })).data).toMatchObject({
      previewUrl: URL_OF_SITE,
      version: 2,
    });
    expect((await change({ label: "Posts" })).data.previewUrl).toBe(URL_OF_SITE);
    expect((await change({ label: "Posts", previewUrl: URL_OF_SITE })).data.version).toBe(3);
    expect((await change({ previewUrl: null })).data.previewUrl).toBeNull();
  });

  it("begins with a literal https address, or with localhost and a port", async () => {
    const message = "previewUrl must begin with a literal https://host/ or http://localhost:PORT/";
    for (const begin of [
      "http://example.com/",
      "https://example.com",
      "https://{slug}.example.com/",
      "https://example.com:{id}/",
      "https://name@example.com/",
      "https://example.com\\@other.example/",
      "https:///",
      "http://localhost/",
      "http://localhost:99999/",
      "{slug}",
      "javascript:alert(1)//",
      "/preview/{id}",
      "",
    ]) {
      const [status, fault] = faults(await make(begin));
      expect([begin, status, String(fault).startsWith(message)]).toEqual([begin, 400, true]);
    }
    const local = "http://localhost:4321/{slug}";
    expect((await make(local)).data.previewUrl).toBe(local);
    expect((await change({ previewUrl: "https://example.com:8443/" })).status).toBe(200);
  });

  it("takes names of string fields alone, balanced braces, no spaces, and no more than its limit", async () => {
    const begin = "https://example.com/";
    expect(faults(await make(`${begin}{slgu}/{body}/{slgu}`))).toEqual([
      400,
      "previewUrl names {slgu}, {body}; use {id}, {model}, {locale}, {token} or a field of the type string",
    ]);
    for (const half of ["{slug", "slug}", "{{slug}}"]) {
      expect(faults(await make(begin + half))).toEqual([400, "previewUrl has a brace without its partner"]);
    }
    expect(faults(await make(`${begin}a b`))).toEqual([400, "previewUrl must not contain spaces; write %20"]);
    expect(faults(await make(`${begin}{}`))[0]).toBe(400);
    const max = begin.padEnd(CONTENT.previewUrlMaxCharacters, "x");
    expect(faults(await make(`${max}x`))[0]).toBe(400);
    expect((await make(max)).data.previewUrl).toBe(max);
  });

  it("is told together with the other faults of a body", async () => {
    const refused = await make("https://example.com/{none}", { titleField: "none", fields: [slug, slug] });
    const paths = (refused.error.details ?? []).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["titleField", "previewUrl", "fields.1.name"]));
  });

  it("follows a field that is renamed, and goes with a field that is removed", async () => {
    await make("https://example.com/{slug}/{title}");
    const renamed = { fields: [{ ...slug, name: "path" }, title, body], rename: { slug: "path" } };
    await change(renamed);
    expect(await stored()).toBe("https://example.com/{path}/{title}");
    const dry = await change({ fields: [title, body], drop: ["path"] }, "?dryRun=true");
    expect(dry.data).toMatchObject({ options: ["previewUrl"], removed: ["path"] });
    expect(await stored()).toBe("https://example.com/{path}/{title}");
    await change({ fields: [title, body], drop: ["path"] });
    expect(await stored()).toBeNull();
    // A new field of the same name takes up a template that names it in the same request.
    const added = {
      fields: [title, body, { ...slug, name: "path" }],
      previewUrl: "https://example.com/{path}",
    };
    expect((await change(added, "?dryRun=true")).data).toMatchObject({ options: ["previewUrl"] });
    expect((await change(added)).data.previewUrl).toBe("https://example.com/{path}");
  });

  it("is not for components", async () => {
    const refused = await make("https://example.com/", { typeModel: "components" });
    expect(faults(refused)).toEqual([
      400,
      "previewUrl is not for components: the records that hold them have it",
    ]);
    expect((await make(null, { typeModel: "components" })).status).toBe(201);
  });

  it("is part of a document of models, also of models that need each other", async () => {
    const previewUrl = "http://localhost:3000/{slug}?t={token}";
    const relation = (to: string): object => ({ name: "one", type: "relation", to });
    const models = [
      { typeModel: "collections", name: "posts", previewUrl, fields: [slug, relation("people")] },
      { typeModel: "collections", name: "people", previewUrl, fields: [slug, relation("posts")] },
    ];
    const plan = await client.call<{ hash: string; changes: object[] }>("POST", "/models/plan", { models });
    expect(plan.data.changes).toMatchObject([{ options: ["previewUrl"] }, { options: ["previewUrl"] }]);
    const { hash } = plan.data;
    expect((await client.call("POST", "/models/apply", { models, hash })).status).toBe(200);
    expect(await stored()).toBe(previewUrl);
    const again = await client.call<{ changes: object[] }>("POST", "/models/plan", { models });
    expect(again.data.changes).toMatchObject([{ action: "none" }, { action: "none" }]);
    const without = [{ ...models[0], previewUrl: undefined, fields: [{ ...slug, name: "other" }] }];
    const dropped = await client.call<{ changes: object[] }>("POST", "/models/plan", { models: without });
    expect(dropped.data.changes).toMatchObject([{ action: "change", options: ["previewUrl"] }]);
  });
});
