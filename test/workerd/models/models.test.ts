/** Changing a model that has records (issue: never corrupts them; an impossible change is 409). */
import { beforeEach, describe, expect, it } from "vitest";
import { Client, type Reply } from "../support/api.ts";

let client: Client;
let id: string;

const ITEMS = "/data/collections/items";
const FIELDS = [
  { name: "title", type: "string", unique: true },
  { name: "n", type: "number" },
  { name: "tag", type: "enum", values: ["a", "b"] },
  { name: "one", type: "relation", to: "items" },
];

beforeEach(async () => {
  client = await Client.make();
  await client.model("items", FIELDS);
  id = await client.create("items", { title: "Hello", n: 3, tag: "a" });
  await client.create("items", { title: "World", n: 4, tag: "a", one: id });
});

const change = (fields: object[], drop?: string[]): Promise<Reply> =>
  client.call("PUT", "/models/collections/items", { fields, drop });
const read = async (): Promise<Record<string, unknown>> => (await client.call("GET", `${ITEMS}/${id}`)).data;
const found = async (query: string): Promise<number> =>
  (await client.call<object[]>("GET", `${ITEMS}?${query}`)).data.length;

describe("a model with records", () => {
  it("can get a new field: records have its default of that time, and filters and sorts find it", async () => {
    const changed = await change([
      ...FIELDS,
      { name: "stars", type: "number", required: true, default: 5 },
      { name: "note", type: "text" },
    ]);
    expect([changed.status, changed.data["version"]]).toEqual([200, 2]);
    expect(await read()).toMatchObject({ stars: 5, note: null, version: 1 });
    expect(await found("filter[stars][eq]=5&sort=stars")).toBe(2);
    expect(await found("filter[note][null]=true&sort=-note")).toBe(2);
    await change([...FIELDS, { name: "stars", type: "number", required: true, default: 9 }]);
    expect((await read())["stars"]).toBe(5);
    await client.call("PUT", `${ITEMS}/${id}`, { n: 1 });
    expect(await read()).toMatchObject({ stars: 5, n: 1 });
    expect(await found("filter[stars][eq]=5")).toBe(2);
  });

  it("loses a removed field's values for good", async () => {
    await change(
      FIELDS.filter(({ name }) => name !== "n"),
      ["n"],
    );
    expect(await read()).not.toHaveProperty("n");
    expect((await client.call("GET", `${ITEMS}?sort=n`)).status).toBe(400);
    expect((await client.call("PUT", `${ITEMS}/${id}`, { n: 1 })).status).toBe(400);
    await change(FIELDS);
    expect((await read())["n"]).toBeNull();
    expect(await found("filter[n][eq]=3")).toBe(0);
    expect(await found("sort=n")).toBe(2);
  });

  it("refuses a change that some value does not fit, and stays as it is", async () => {
    const [title, n, tag, one] = FIELDS as [object, object, object, object];
    const refused = [
      [{ ...title, required: true, maxLength: 4 }, n, tag, one],
      [title, { name: "n", type: "string" }, tag, one],
      [title, { name: "n", type: "number", max: 3 }, tag, one],
      [title, n, { name: "tag", type: "enum", values: ["b"] }, one],
      [title, n, { name: "tag", type: "enum", values: ["a"], unique: true }, one],
      [title, n, tag, { name: "one", type: "relation", to: "items", multiple: true }],
      [title, n, tag, { name: "one", type: "media" }],
      [title, n, tag, { ...one, required: true }],
      [title, n, tag, one, { name: "must", type: "string", required: true }],
    ];
    const before = await read();
    for (const fields of refused) {
      const reply = await change(fields);
      expect([JSON.stringify(fields), reply.status, reply.error.code]).toEqual([
        JSON.stringify(fields),
        409,
        "CONFLICT",
      ]);
    }
    expect((await client.call("GET", "/models/collections/items")).data).toMatchObject({
      fields: FIELDS,
      version: 1,
    });
    expect(await read()).toEqual(before);
  });

  it("can change a field to a type that every value fits, with its index", async () => {
    const [, n, tag, one] = FIELDS as [object, object, object, object];
    expect(
      (await change([{ name: "title", type: "text" }, n, { name: "tag", type: "string" }, one])).status,
    ).toBe(200);
    expect(await found("filter[title][contains]=ell&sort=title")).toBe(1);
    expect(await found("filter[tag][eq]=a&sort=tag")).toBe(2);
    expect((await client.call("POST", ITEMS, { title: "Hello" })).status).toBe(201);
    // Not unique any more; and not again while two are the same.
    expect((await change(FIELDS)).status).toBe(409);
    expect((await change([{ name: "title", type: "json" }, n, tag, one])).status).toBe(200);
    expect(await found("filter[title][null]=false")).toBe(3);
  });

  it("counts values in the trash, so that a restored record always fits", async () => {
    await client.call("DELETE", `${ITEMS}/${id}`);
    const [title, , tag, one] = FIELDS as [object, object, object, object];
    expect((await change([title, { name: "n", type: "number", min: 4 }, tag, one])).status).toBe(409);
    const fields = [title, tag, one, { name: "added", type: "number", default: 1 }];
    expect((await change(fields, ["n"])).status).toBe(200);
    expect((await client.call("POST", `/trash/${id}/restore`)).status).toBe(200);
    expect(await read()).toMatchObject({ title: "Hello", added: 1 });
    expect(await found("filter[added][eq]=1&sort=added")).toBe(2);
  });

  it("can be removed only without records, trashed ones included, and without relations to it (RULES 3.1)", async () => {
    const remove = async (): Promise<number> =>
      (await client.call("DELETE", "/models/collections/items")).status;
    await client.model("users", [{ name: "item", type: "relation", to: "items" }]);
    for (const { id: each } of (await client.call<{ id: string }[]>("GET", ITEMS)).data) {
      await client.call("DELETE", `${ITEMS}/${each}`);
    }
    expect(await remove()).toBe(409);
    expect((await client.call("DELETE", "/models/collections/users")).status).toBe(200);
    expect(await remove()).toBe(409);
    for (const { id: each } of (await client.call<{ id: string }[]>("GET", "/trash")).data) {
      await client.call("DELETE", `/trash/${each}`);
    }
    expect(await remove()).toBe(200);
    expect((await client.call("GET", ITEMS)).status).toBe(404);
    await client.model("items", []);
  });

  it("that is a page can be removed when the page has its defaults and no entry in the trash", async () => {
    await client.model("home", [{ name: "headline", type: "string", required: true }], "pages");
    const remove = async (): Promise<number> => (await client.call("DELETE", "/models/pages/home")).status;
    await client.call("PUT", "/data/pages/home/home", { headline: "x" });
    expect(await remove()).toBe(409);
    const { data } = await client.call("DELETE", "/data/pages/home/home");
    expect(await remove()).toBe(409);
    await client.call("DELETE", `/trash/${String(data["id"])}`);
    expect(await remove()).toBe(200);
  });

  it("is listed page by page, and a write that was checked against an older model is checked again", async () => {
    await client.model("second", []);
    const first = await client.call<{ name: string }[]>("GET", "/models?limit=1");
    const rest = await client.call<{ name: string }[]>("GET", `/models?cursor=${first.meta.nextCursor}`);
    expect([...first.data, ...rest.data].map(({ name }) => name)).toEqual(["items", "second"]);
    const [, ...others] = FIELDS;
    const replies = await Promise.all([
      change(others, ["title"]),
      ...[1, 2, 3].map((k) => client.call("POST", ITEMS, { title: `r${k}` })),
    ]);
    for (const { status } of replies.slice(1)) expect([201, 400]).toContain(status);
    const all = await client.call<object[]>("GET", ITEMS);
    for (const item of all.data) expect(Object.keys(item)).not.toContain("title");
  });
});

describe("a model that changes while a record is written", () => {
  it("leaves no record that does not fit it", async () => {
    for (let round = 0; round < 5; round++) {
      const own = await Client.make();
      await own.model("items", [{ name: "n", type: "number" }]);
      await own.create("items", { n: 1 });
      const tighten = own.call("PUT", "/models/collections/items", {
        fields: [{ name: "n", type: "number", max: 5 }],
      });
      const writes = [10, 11].map((n) => own.call("POST", ITEMS, { n }));
      const [changed, ...written] = await Promise.all([tighten, ...writes]);
      const values = (await own.call<{ n: number }[]>("GET", ITEMS)).data.map(({ n }) => n);
      if (changed.status === 200) expect(Math.max(...values)).toBeLessThanOrEqual(5);
      else expect(changed.status).toBe(409);
      for (const { status } of written) expect([201, 400]).toContain(status);
    }
  });
});
