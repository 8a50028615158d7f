/**
 * Writes of a record: the values that they take, keep and refuse. Versions, unchanged writes, PATCH, faults all at
 * once.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { Client, type Reply } from "../support/api.ts";
import { makeMedia } from "../support/rows.ts";

let client: Client;
beforeAll(async () => {
  client = await Client.make();
  await client.model("notes", [
    { name: "title", type: "string" },
    { name: "n", type: "number" },
    { name: "must", type: "json", default: 0, required: true },
    { name: "link", type: "relation", to: "notes" },
    { name: "links", type: "relation", to: "notes", multiple: true },
    { name: "cover", type: "media" },
  ]);
});

const NOTES = "/data/collections/notes";
const make = async (values: object): Promise<{ path: string; reply: Reply }> => {
  const reply = await client.call("POST", NOTES, values);
  return { path: `${NOTES}/${String((reply.data as Reply["data"] | undefined)?.["id"])}`, reply };
};
const paths = (reply: Reply): string[] => (reply.error.details ?? []).map(({ path }) => path).sort();

describe("a write", () => {
  it("that changes nothing keeps version, time and ETag", async () => {
    const { path, reply } = await make({ title: "same", links: [], must: { a: [1] } });
    for (const body of [{}, { title: "same" }, { must: { a: [1] }, links: [] }, reply.data]) {
      const again = await client.call("PUT", path, body, { headers: { "If-Match": '"1"' } });
      expect([again.status, again.data]).toEqual([200, reply.data]);
      expect(again.headers.get("ETag")).toBe(reply.headers.get("ETag"));
    }
    expect((await client.call("PUT", path, { title: "other" })).data["version"]).toBe(2);
  });

  it("accepts system fields as they were read, and answers 412 to a stale version", async () => {
    const { path, reply } = await make({ title: "one" });
    const first = await client.call("PUT", path, { ...reply.data, title: "two" });
    expect([first.status, first.data["version"]]).toEqual([200, 2]);
    for (const body of [{ ...reply.data, title: "three" }, { version: 1 }, { version: 3 }]) {
      const stale = await client.call("PUT", path, body);
      expect([stale.status, stale.error.code]).toEqual([412, "PRECONDITION_FAILED"]);
    }
    expect(paths(await client.call("PUT", path, { version: "2", id: "x", createdAt: 1 }))).toEqual([
      "createdAt",
      "id",
      "version",
    ]);
    expect((await client.call("GET", path)).data).toEqual(first.data);
  });

  it("by PATCH is the same as one by PUT", async () => {
    const { path } = await make({ title: "one", n: 1 });
    const patched = await client.call("PATCH", path, { n: 2 });
    expect([patched.status, patched.data]).toMatchObject([200, { title: "one", n: 2, version: 2 }]);
    const stale = await client.call("PATCH", path, { n: 3 }, { headers: { "If-Match": '"1"' } });
    expect(stale.status).toBe(412);
    expect((await client.call("PATCH", path, { nope: 1 })).status).toBe(400);
  });

  it("accepts any value but null for a required json field", async () => {
    for (const must of [[], {}, "", 0, false]) {
      const { reply } = await make({ must });
      expect([reply.status, reply.data["must"]]).toEqual([201, must]);
    }
    expect(paths((await make({ must: null })).reply)).toEqual(["must"]);
  });

  it("lists all its faults at once, including references that do not exist", async () => {
    const other = await Client.make();
    const foreign = await makeMedia(other.space);
    const faulty = { title: 5, n: "x", link: "NOPE", links: ["NO", "NEITHER"], cover: foreign.id, nope: 1 };
    const expected = ["cover", "link", "links", "links", "n", "nope", "title"];
    const created = await make(faulty);
    expect(paths(created.reply)).toEqual(expected);
    const { path } = await make({});
    expect(paths(await client.call("PUT", path, faulty))).toEqual(expected);
    const many = Array.from({ length: 300 }, (_, i) => `N${i}`);
    expect(paths((await make({ links: many })).reply)).toHaveLength(200);
  });

  it("of twenty at once on one record are all kept", async () => {
    const fields = Array.from({ length: 20 }, (_, i) => ({ name: `f${i}`, type: "number" }));
    await client.model("shared", fields);
    const id = await client.create("shared", {});
    const path = `/data/collections/shared/${id}`;
    const replies = await Promise.all(
      fields.map(({ name }, i) => client.call("PUT", path, { [name]: i + 1 })),
    );
    expect(replies.map(({ status }) => status)).toEqual(fields.map(() => 200));
    const { data } = await client.call("GET", path);
    expect(fields.map(({ name }) => data[name])).toEqual(fields.map((_, i) => i + 1));
    expect(data["version"]).toBe(21);
  });
});

describe("a page that was never changed", () => {
  it("is deleted without an entry in the trash, so that its model can be removed", async () => {
    await client.model("front", [{ name: "headline", type: "string", default: "Hello" }], "pages");
    const path = "/data/pages/front/front";
    const before = await client.call("GET", path);
    const deleted = await client.call("DELETE", path);
    expect([deleted.status, deleted.data]).toEqual([200, { id: "front", state: "removed" }]);
    expect((await client.call("GET", path)).data).toEqual(before.data);
    const trash = await client.call<{ model?: string }[]>("GET", "/trash");
    expect(trash.data.filter(({ model }) => model === "front")).toEqual([]);
    // A default that came later is no change of the page's content either.
    const fields = [{ name: "headline", type: "string", default: "Welcome" }];
    expect((await client.call("PUT", "/models/pages/front", { fields })).status).toBe(200);
    expect((await client.call("DELETE", path)).data).toEqual({ id: "front", state: "removed" });
    expect((await client.call("GET", path)).data["headline"]).toBe("Welcome");
    expect((await client.call("DELETE", "/models/pages/front")).status).toBe(200);
  });
});

describe("filter[...][in]", () => {
  it("reads repeated values as they are, and a single one as a list", async () => {
    const own = await Client.make();
    await own.model("items", [
      { name: "title", type: "string" },
      { name: "kind", type: "enum", values: ["a,b", "a", "b"] },
    ]);
    const texts = ["a,b", "a", "b", "c"];
    for (const title of texts) await own.create("items", { title, kind: title === "c" ? null : title });
    const found = async (query: string) => {
      const reply = await own.call<{ title: string }[]>("GET", `/data/collections/items?sort=title&${query}`);
      return reply.status === 200 ? reply.data.map(({ title }) => title) : reply.status;
    };
    for (const field of ["title", "kind"]) {
      expect(await found(`filter[${field}][in]=a,b`)).toEqual(["a", "b"]);
      expect(await found(`filter[${field}][in][]=a,b`)).toEqual(["a,b"]);
      expect(await found(`filter[${field}][in][]=a,b&filter[${field}][in][]=b`)).toEqual(["a,b", "b"]);
      expect(await found(`filter[${field}][in]=a,b&filter[${field}][in]=b`)).toEqual(["a,b", "b"]);
      expect(await found(`filter[${field}][in]=a,b&filter[${field}][in][]=b`)).toEqual(["a,b", "b"]);
    }
    expect(await found("filter[title][eq]=a&filter[title][eq]=b")).toBe(400);
    expect(await found("filter[title][eq][]=a")).toBe(400);
    const many = Array.from({ length: 101 }, (_, i) => `filter[title][in]=${i}`).join("&");
    expect(await found(many)).toBe(400);
    const first = await own.call(
      "GET",
      "/data/collections/items?limit=1&filter[title][in][]=a&filter[title][in][]=b",
    );
    const again = `/data/collections/items?limit=1&filter[title][in]=a&filter[title][in]=b&cursor=${first.meta.nextCursor}`;
    expect((await own.call("GET", again)).status).toBe(200);
  });
});

describe("a cursor", () => {
  it("of the default list is valid for sort=-createdAt", async () => {
    for (const title of ["x", "y"]) await make({ title });
    const first = await client.call("GET", `${NOTES}?limit=1`);
    const next = await client.call("GET", `${NOTES}?limit=1&sort=-createdAt&cursor=${first.meta.nextCursor}`);
    expect(next.status).toBe(200);
    const back = await client.call("GET", `${NOTES}?limit=1&cursor=${next.meta.nextCursor}`);
    expect(back.status).toBe(200);
  });
});
