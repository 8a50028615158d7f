/** Public content in several locales at the edge (RULES 3.17, 3.31): a copy for each, and what makes them go. */
import { beforeEach, describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { Edge } from "../support/edge.ts";
import { waitingTags } from "../support/invalidation.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

const POSTS = "/data/collections/posts";
const FIELDS = [
  { name: "title", type: "string", localized: true },
  { name: "views", type: "number" },
];

let client: Client;
let id: string;
beforeEach(async () => {
  client = await Client.make();
  await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de-AT", fallback: "en" }] });
  const model = { typeModel: "collections", name: "posts", fields: FIELDS, public: true };
  expect((await client.call("POST", "/models", model)).status).toBe(201);
  id = await client.create("posts", { title: "One" });
  await client.call("PUT", `${POSTS}/${id}?locale=de-AT`, { title: "Eins" });
});

const path = (query: string, record = ""): string =>
  `/api/v1/${client.space.name}${POSTS}${record && `/${record}`}?${query}`;

describe("a read without a key", () => {
  it.each(["of a list", "of a record"])("%s is kept for each locale by itself", async (kind) => {
    const edge = new Edge(1);
    const record = kind === "of a record" ? id : "";
    const ask = async (query: string): Promise<[string | null, boolean, boolean]> => {
      const answer = await edge.ask(path(query, record));
      const text = await answer.text();
      return [answer.headers.get("Cf-Cache-Status"), text.includes("One"), text.includes("Eins")];
    };
    expect(await ask("")).toEqual(["MISS", true, false]);
    expect(await ask("locale=de-AT")).toEqual(["MISS", false, true]);
    expect(await ask("locale=DE-at")).toEqual(["HIT", false, true]);
    expect(await ask("locale=all")).toEqual(["MISS", true, true]);
    expect(await ask("locale=de-AT&fallback=true")).toEqual(["MISS", false, true]);
    expect(await ask("fallback=true&locale=de-AT")).toEqual(["HIT", false, true]);
    expect(await ask("")).toEqual(["HIT", true, false]);
  });
});

describe("the copies of all locales go", () => {
  async function tagsOf(method: string, at: string, body?: object): Promise<string[]> {
    await bindings.DB.prepare("DELETE FROM purges").run();
    const { status, error } = await client.call(method, at, body);
    expect(status, JSON.stringify(error)).toBeLessThan(300);
    return (await waitingTags()).filter((name) => name.startsWith("content:"));
  }

  it("when a value of one changes, but not when none does", async () => {
    const tag = `content:${client.space.id}`;
    const put = (title: string | null) => tagsOf("PUT", `${POSTS}/${id}?locale=de-AT`, { title });
    expect(await put("Zwei")).toEqual([tag]);
    expect(await put("Zwei")).toEqual([]);
    expect(await put(null)).toEqual([tag]);
    expect(await put("Drei")).toEqual([tag]);
    expect(await tagsOf("POST", `${POSTS}/${id}/versions/2/restore`, { locales: ["de-AT"] })).toEqual([tag]);
    const locales = [{ code: "en" }, { code: "de-AT" }];
    expect(await tagsOf("PATCH", "/settings", { locales })).toEqual([tag]);
  });

  it("when one is published, and not when its draft is written", async () => {
    const tag = `content:${client.space.id}`;
    const drafts = { fields: FIELDS, public: true, drafts: true };
    expect((await client.call("PUT", "/models/collections/posts", drafts)).status).toBe(200);
    expect(await tagsOf("PUT", `${POSTS}/${id}?locale=de-AT`, { title: "Zwei" })).toEqual([]);
    expect(await tagsOf("POST", `${POSTS}/${id}/publish`, { locales: ["de-AT"] })).toEqual([tag]);
    expect(await tagsOf("POST", `${POSTS}/${id}/unpublish`, { locales: ["de-AT"] })).toEqual([tag]);
  });
});
