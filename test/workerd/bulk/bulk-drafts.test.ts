/** A bulk on a model with drafts: published and unpublished, all or none. */
import { beforeAll, describe, expect, it } from "vitest";
import { Client, type Reply } from "../support/api.ts";

interface Done {
  op: string;
  id: string;
  version: number;
}

let client: Client;

const bulk = (operations: unknown, of: string): Promise<Reply<Done[]>> =>
  client.call("POST", `/data/collections/${of}/bulk`, { operations });

const paths = (reply: Reply<unknown>): string[] => (reply.error.details ?? []).map(({ path }) => path);

beforeAll(async () => {
  client = await Client.make();
  await client.model("plain", [{ name: "title", type: "string" }]);
});

describe("a bulk on a model with drafts", () => {
  it("publishes and unpublishes, all or none", async () => {
    await client.call("POST", "/models", {
      typeModel: "collections",
      name: "drafted",
      drafts: true,
      fields: [{ name: "title", type: "string", required: true }],
    });
    const made = await bulk(
      [
        { op: "create", data: { title: "a" } },
        { op: "create", data: { title: "b" } },
        { op: "create", data: {} },
      ],
      "drafted",
    );
    const [a = "", b = "", c = ""] = made.data.map(({ id }) => id);
    const status = async (id: string) =>
      (await client.call("GET", `/data/collections/drafted/${id}?status=draft`)).data["status"];
    const refused = await bulk(
      [
        { op: "publish", id: a },
        { op: "publish", id: c },
      ],
      "drafted",
    );
    expect([refused.status, paths(refused)]).toEqual([400, ["operations.1.title"]]);
    expect(await status(a)).toBe("draft");
    const done = await bulk(
      [
        { op: "publish", id: a, ifMatch: '"1-1"' },
        { op: "publish", id: b },
      ],
      "drafted",
    );
    expect(done.data).toEqual([
      { op: "publish", id: a, version: 1 },
      { op: "publish", id: b, version: 1 },
    ]);
    const mixed = await bulk(
      [
        { op: "unpublish", id: a },
        { op: "update", id: b, data: { title: "c" } },
        { op: "delete", id: c },
      ],
      "drafted",
    );
    expect(mixed.data.map(({ version }) => version)).toEqual([1, 2, 1]);
    expect([await status(a), await status(b)]).toEqual(["draft", "changed"]);
    expect((await client.call("GET", `/data/collections/drafted/${c}?status=draft`)).status).toBe(404);
    const plain = await client.create("plain", { title: "a" });
    expect((await bulk([{ op: "publish", id: plain }], "plain")).status).toBe(409);
  });

  it("finds published records, and drafts for keys that may see them", async () => {
    await client.call("POST", "/models", {
      typeModel: "collections",
      name: "sought",
      drafts: true,
      fields: [{ name: "title", type: "string", searchable: true }],
    });
    const ids = [
      await client.create("sought", { title: "walrus one" }),
      await client.create("sought", { title: "walrus two" }),
    ];
    const found = async (query: string) =>
      (await client.call<Done[]>("GET", `/data/collections/sought?search=${query}`)).data.map(({ id }) => id);
    expect([await found("walrus"), await found("walrus&status=draft")]).toEqual([[], [...ids].reverse()]);
    await bulk(
      ids.map((id) => ({ op: "publish", id })),
      "sought",
    );
    await bulk([{ op: "update", id: ids[0], data: { title: "seal" } }], "sought");
    expect((await found("walrus")).sort()).toEqual([...ids].sort());
    expect([
      await found("walrus&status=draft"),
      await found("seal&status=draft"),
      await found("seal"),
    ]).toEqual([[ids[1]], [ids[0]], []]);
  });
});
