/** Components as models: their definitions, where they may stand, and their removal (RULES 3.1, 3.25). */
import { describe, expect, it } from "vitest";
import { CONTENT } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { component, makeArticles } from "./support.ts";

const details = (reply: { error?: { details?: { path: string; message: string }[] } }): string[] =>
  (reply.error?.details ?? []).map(({ path, message }) => `${path} ${message}`);

const make = (client: Client, name: string, fields: object[], more: object = {}) =>
  client.call("POST", "/models", { typeModel: "components", name, fields, ...more });

const holding = (name: string): object => ({ name: "inner", type: "component", component: name });

describe("a component", () => {
  it("is a model without records: its routes are those of models alone", async () => {
    const client = await Client.make();
    await component(client, "cta", [{ name: "label", type: "string" }]);
    const read = await client.call("GET", "/models/components/cta");
    expect([read.status, read.data["typeModel"], read.data["fields"]]).toEqual([
      200,
      "components",
      [{ name: "label", type: "string" }],
    ]);
    const listed = await client.call<{ name: string }[]>("GET", "/models");
    expect(listed.data.map(({ name }) => name)).toEqual(["cta"]);
    for (const [method, path] of [
      ["GET", "/data/components/cta"],
      ["POST", "/data/components/cta"],
      ["GET", "/data/components/cta/cta"],
      ["POST", "/data/components/cta/bulk"],
    ] as const) {
      const body = method === "POST" ? { operations: [] } : undefined;
      expect([path, (await client.call(method, path, body)).status]).toEqual([path, 404]);
    }
  });

  it("has no name of Portable Text, no unique fields, no drafts, and no public records", async () => {
    const client = await Client.make();
    for (const name of ["block", "span", "image", "link"])
      expect(details(await make(client, name, []))).toEqual([
        "name is a name of Portable Text; choose another one",
      ]);
    const fields = [{ name: "a", type: "string", unique: true }];
    expect(details(await make(client, "cta", fields, { drafts: true, public: true })).sort()).toEqual([
      "drafts is not for components: the records that hold them have it",
      "fields.0.unique is not for fields of a component",
      "public is not for components: the records that hold them have it",
    ]);
    const ofLocales = [{ name: "a", type: "string", localized: true, requiredIn: "all" }];
    expect(details(await make(client, "cta", ofLocales)).sort()).toEqual([
      "fields.0.localized is not for fields of a component",
      "fields.0.requiredIn is not for fields of a component",
    ]);
    await component(client, "cta", []);
    const changed = await client.call("PUT", "/models/components/cta", { fields: ofLocales });
    expect(details(changed)).toContain("fields.0.requiredIn is not for fields of a component");
    const relation = [{ name: "a", type: "relation", to: "cta" }];
    expect(details(await make(client, "other", relation))).toEqual([
      'fields.0.to "cta" is not a collection of this space',
    ]);
  });

  it("must be there to be held, in every kind of field", async () => {
    const client = await Client.make();
    const reply = await client.call("POST", "/models", {
      typeModel: "collections",
      name: "articles",
      fields: [
        { name: "a", type: "component", component: "x" },
        { name: "b", type: "blocks", components: ["x", "y"] },
        { name: "c", type: "richtext", components: ["y"], annotations: [{ name: "internalLink", to: "z" }] },
        { name: "d", type: "blocks", components: [] },
        { name: "e", type: "richtext", styles: ["h1", "h1"] },
        { name: "f", type: "component", component: "x", max: 2 },
        { name: "g", type: "component" },
        { name: "h", type: "blocks", components: ["x"], max: CONTENT.blocksMax + 1 },
      ],
    });
    expect(
      details(reply)
        .map((one) => one.split(" ")[0])
        .sort(),
    ).toEqual([
      "fields.0.component",
      "fields.1.components.0",
      "fields.1.components.1",
      "fields.2.annotations",
      "fields.2.components.0",
      "fields.3.components",
      "fields.4.styles",
      "fields.5.component",
      "fields.5.max",
      "fields.6.component",
      "fields.7.components.0",
      "fields.7.max",
    ]);
  });

  it("nests as deep as it may, through every kind of field, and one level more is refused", async () => {
    const client = await Client.make();
    await component(client, "c1", [{ name: "text", type: "string" }]);
    await component(client, "c2", [{ name: "inner", type: "blocks", components: ["c1"] }]);
    await component(client, "c3", [{ name: "inner", type: "richtext", components: ["c2"] }]);
    await component(client, "c4", [holding("c3")]);
    await component(client, "c5", [holding("c4")]);
    expect(details(await make(client, "c6", [holding("c5")]))).toEqual([
      `fields.0.component would nest components more than ${CONTENT.componentsMaxLevels} levels deep`,
    ]);
    await client.model("pages", [holding("c5")]);
    await component(client, "c0", []);
    const deeper = { fields: [{ name: "text", type: "string" }, holding("c0")] };
    expect(details(await client.call("PUT", "/models/components/c1", deeper))).toEqual([
      `fields would nest the component "c5" more than ${CONTENT.componentsMaxLevels} levels deep`,
    ]);
  });

  it("holds itself by no way, whoever changes what at the same time", async () => {
    const client = await Client.make();
    for (const name of ["a", "b", "c"]) await component(client, name, []);
    const hold = (name: string, other: string) =>
      client.call("PUT", `/models/components/${name}`, { fields: [holding(other)] });
    expect(details(await hold("a", "a"))).toEqual(['fields.0.component would make "a" a part of itself']);
    expect((await hold("a", "b")).status).toBe(200);
    expect((await hold("b", "c")).status).toBe(200);
    expect(details(await hold("c", "a"))).toEqual(['fields.0.component would make "c" a part of itself']);
    for (let round = 0; round < 3; round++) {
      const [x, y] = [`x${round}`, `y${round}`];
      for (const name of [x, y]) await component(client, name, []);
      const replies = await Promise.all([hold(x, y), hold(y, x)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it("is not removed while a model holds it, directly or not", async () => {
    const client = await Client.make();
    await makeArticles(client);
    const refused = await client.call("DELETE", "/models/components/cta");
    expect([refused.status, refused.error.message]).toEqual([
      409,
      "Fields of articles, quote hold this component. Remove it from them first.",
    ]);
    const people = await client.call("DELETE", "/models/collections/people");
    expect([people.status, people.error.message]).toEqual([409, expect.stringContaining("articles")]);
    await client.call("DELETE", "/models/collections/articles");
    expect((await client.call("DELETE", "/models/components/cta")).status).toBe(409);
    expect((await client.call("DELETE", "/models/components/quote")).status).toBe(200);
    expect((await client.call("DELETE", "/models/components/cta")).status).toBe(200);
  });
});
