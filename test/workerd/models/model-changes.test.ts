/**
 * A model changed from the version that was read: nothing is lost unasked, and the answer names the records that stand
 * against a change.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { CONTENT } from "../../../src/limits.ts";
import { Client, type Reply } from "../support/api.ts";

let client: Client;
let id: string;

const ITEMS = "/data/collections/items";
const MODEL = "/models/collections/items";
const TITLE = { name: "title", type: "string" };
const N = { name: "n", type: "number" };
const J = { name: "j", type: "json" };
const ONE = { name: "one", type: "relation", to: "items" };
const MANY = { name: "many", type: "relation", to: "items", multiple: true };
const FIELDS = [TITLE, N, J, ONE, MANY];

beforeEach(async () => {
  client = await Client.make();
  await client.model("items", FIELDS);
  id = await client.create("items", { title: "Hello", n: 3 });
  await client.create("items", { title: "World" });
});

const put = (body: object, headers: Record<string, string> = {}, query = ""): Promise<Reply> =>
  client.call("PUT", `${MODEL}${query}`, body, { headers });
const model = (): Promise<Reply> => client.call("GET", MODEL);
const read = async (): Promise<Record<string, unknown>> => (await client.call("GET", `${ITEMS}/${id}`)).data;
const found = async (query: string): Promise<number> =>
  (await client.call<object[]>("GET", `${ITEMS}?${query}`)).data.length;
const paths = (reply: Reply): string[] => (reply.error.details ?? []).map(({ path }) => path).sort();

describe("a model", () => {
  it("has a version and an ETag, and a change is refused if its If-Match or version is stale", async () => {
    const first = await model();
    const etag = first.headers.get("ETag") ?? "";
    expect(first.data["version"]).toBe(1);
    const unchanged = await client.call("GET", MODEL, undefined, { headers: { "If-None-Match": etag } });
    expect(unchanged.status).toBe(304);
    const fields = [...FIELDS, { name: "added", type: "text" }];
    const changed = await put({ fields }, { "If-Match": etag });
    expect([changed.status, changed.data["version"]]).toEqual([200, 2]);
    expect(changed.headers.get("ETag")).not.toBe(etag);
    for (const stale of [
      await put({ fields: FIELDS }, { "If-Match": etag }),
      await put({ fields: FIELDS, version: 1 }),
      await put({ ...first.data, fields: FIELDS }),
      await put({ fields: FIELDS, version: 2 }, { "If-Match": etag }),
    ]) {
      expect([stale.status, stale.error.code]).toEqual([412, "PRECONDITION_FAILED"]);
    }
    expect((await model()).data).toEqual(changed.data);
    expect((await put({ ...changed.data }, { "If-Match": "*" })).data).toEqual(changed.data);
    expect(paths(await put({ ...changed.data, createdAt: "2020-01-01T00:00:00.000Z" }))).toEqual([
      "createdAt",
    ]);
  });

  it("is not changed by being sent back as it was read", async () => {
    const { data } = await model();
    const again = await put(data);
    expect([again.status, again.data]).toEqual([200, data]);
  });

  it("keeps a field with values when a stale copy or an empty list omits it", async () => {
    const stale = [N, J, ONE, MANY];
    const refused = await put({ fields: stale });
    expect([refused.status, refused.error.code, paths(refused)]).toEqual([409, "CONFLICT", ["title"]]);
    expect(refused.error.message).toContain("2 records");
    const wiped = await put({ fields: [] });
    expect([wiped.status, paths(wiped)]).toEqual([409, ["n", "title"]]);
    expect(await read()).toMatchObject({ title: "Hello", n: 3 });
    // Fields without values go, and a named field goes with its values.
    expect((await put({ fields: [TITLE, N, J] })).status).toBe(200);
    expect((await put({ fields: [TITLE], drop: ["n"] })).status).toBe(200);
    expect(await read()).not.toHaveProperty("n");
  });

  it("counts values in the trash, and values that come from a default", async () => {
    await client.call("DELETE", `${ITEMS}/${id}`);
    const refused = await put({ fields: [TITLE, J, ONE, MANY] });
    expect([refused.status, paths(refused)]).toEqual([409, ["n"]]);
    expect(refused.error.message).toContain("1 record");
    await put({ fields: [...FIELDS, { name: "stars", type: "number", default: 5 }] });
    const stars = await put({ fields: FIELDS });
    expect([stars.status, stars.error.details?.[0]?.message]).toEqual([
      409,
      expect.stringContaining("2 records"),
    ]);
    expect((await put({ fields: FIELDS, drop: ["stars"] })).status).toBe(200);
  });

  it("keeps values under a new name, with their filters, also when the request is sent again", async () => {
    const fields = [{ ...TITLE, name: "headline" }, N, J, ONE, MANY];
    for (let time = 0; time < 2; time++) {
      const renamed = await put({ fields, rename: { title: "headline" } });
      expect([renamed.status, renamed.data["version"]]).toEqual([200, 2]);
    }
    expect(await read()).toMatchObject({ headline: "Hello", n: 3 });
    expect(await found("filter[headline][eq]=Hello&sort=headline")).toBe(1);
    // Two names that change places.
    const swapped = [{ ...N, name: "headline" }, { ...TITLE, name: "n" }, J, ONE, MANY];
    const reply = await put({ fields: swapped, rename: { headline: "n", n: "headline" } });
    expect(reply.status).toBe(200);
    expect(await read()).toMatchObject({ headline: 3, n: "Hello" });
  });

  it("refuses names in drop and rename that contradict the fields", async () => {
    const without = [N, J, ONE, MANY];
    const cases: [object, string[]][] = [
      [{ fields: FIELDS, drop: ["title"] }, ["drop.0"]],
      [{ fields: without, rename: { title: "gone" } }, ["rename.title"]],
      [{ fields: FIELDS, rename: { nope: "other" } }, ["rename.nope", "rename.nope"]],
      [{ fields: without, rename: { title: "n" } }, ["rename.title"]],
      [{ fields: [{ ...TITLE, name: "x" }, J, ONE, MANY], rename: { title: "x", n: "x" } }, ["rename.n"]],
      [
        { fields: [{ ...TITLE, name: "x" }, N, J, ONE, MANY], rename: { title: "x" }, drop: ["title"] },
        ["drop.0"],
      ],
    ];
    for (const [body, expected] of cases) {
      const reply = await put(body);
      expect([JSON.stringify(body), reply.status, paths(reply)]).toEqual([
        JSON.stringify(body),
        400,
        expected,
      ]);
    }
    expect((await model()).data["version"]).toBe(1);
  });
});

describe("a field's label and description", () => {
  it("are kept with the field, change no record, and are text within their limits", async () => {
    const before = await read();
    const said = { ...TITLE, label: "Überschrift", description: "Shown above the item." };
    const changed = await put({ fields: [said, N, J, ONE, MANY] });
    expect([changed.status, changed.data["version"]]).toEqual([200, 2]);
    expect((changed.data["fields"] as object[])[0]).toEqual(said);
    expect(await read()).toEqual(before);
    const { labelMaxCharacters, descriptionMaxCharacters } = CONTENT;
    const most = { label: "x".repeat(labelMaxCharacters), description: "x".repeat(descriptionMaxCharacters) };
    expect((await put({ fields: [{ ...TITLE, ...most }, N, J, ONE, MANY] })).status).toBe(200);
    for (const [name, value] of [
      ["label", `${most.label}x`],
      ["description", `${most.description}x`],
      ["label", "a\0b"],
      ["description", "\ud800"],
    ] as const) {
      const refused = await put({ fields: [{ ...TITLE, [name]: value }, N, J, ONE, MANY] });
      expect([refused.status, paths(refused)]).toEqual([400, [`fields.0.${name}`]]);
    }
  });
});

describe("a retyped field", () => {
  it("gets the empty value of its new type, from a single value and from a list", async () => {
    const retyped = [
      TITLE,
      N,
      J,
      { ...ONE, multiple: true },
      { name: "many", type: "relation", to: "items" },
    ];
    expect((await put({ fields: retyped })).status).toBe(200);
    const record = await read();
    expect(record).toMatchObject({ one: [], many: null });
    // A record that was read can be sent back, and null filters find it.
    expect((await client.call("PUT", `${ITEMS}/${id}`, record)).status).toBe(200);
    expect(await found("filter[one][null]=true")).toBe(2);
    expect(await found("filter[many][null]=true&sort=many")).toBe(2);
    await client.call("PUT", `${ITEMS}/${id}`, { one: [id], many: id });
    expect([await found("filter[one][null]=true"), await found("filter[many][null]=false")]).toEqual([1, 1]);
    expect((await put({ fields: FIELDS })).status).toBe(409);
    await client.call("PUT", `${ITEMS}/${id}`, { one: null, many: null });
    expect((await put({ fields: FIELDS })).status).toBe(200);
    expect(await read()).toMatchObject({ one: null, many: [] });
  });

  it("of json with the value [] does not become a string, because [] is a value", async () => {
    await client.call("PUT", `${ITEMS}/${id}`, { j: [] });
    const text = [TITLE, N, { name: "j", type: "string" }, ONE, MANY];
    const refused = await put({ fields: text });
    expect([refused.status, paths(refused)]).toEqual([409, ["j"]]);
    await client.call("PUT", `${ITEMS}/${id}`, { j: "fits" });
    expect((await put({ fields: text })).status).toBe(200);
    expect(await found("filter[j][eq]=fits")).toBe(1);
  });

  it("also gets the empty value in records that are older than it, trashed ones included", async () => {
    await put({ fields: [...FIELDS, { ...ONE, name: "late" }] });
    await client.call("DELETE", `${ITEMS}/${id}`);
    await put({ fields: [...FIELDS, { ...MANY, name: "late" }] });
    await client.call("POST", `/trash/${id}/restore`);
    expect(await read()).toMatchObject({ late: [] });
    expect(await found("filter[late][null]=true")).toBe(2);
    expect((await client.call("PUT", `${ITEMS}/${id}`, await read())).status).toBe(200);
  });
});

describe("a dry run", () => {
  it("answers what would change, in how many records, and what prevents it, and changes nothing", async () => {
    const before = (await model()).data;
    const fields = [
      { ...TITLE, name: "headline", maxLength: 4 },
      { name: "must", type: "string", required: true },
    ];
    const body = { fields, rename: { title: "headline" }, drop: ["j"] };
    const reply = await put(body, {}, "?dryRun=true");
    expect(reply.status).toBe(200);
    expect(reply.data).toMatchObject({
      version: 1,
      added: ["must"],
      removed: ["n", "j", "one", "many"],
      renamed: { title: "headline" },
      changed: ["headline"],
      records: 2,
    });
    const conflicts = reply.data["conflicts"] as { path: string; records: number }[];
    expect(conflicts.map(({ path, records }) => [path, records])).toEqual([
      ["n", 1],
      ["must", 2],
      ["title", 2],
    ]);
    expect((await model()).data).toEqual(before);
    const refused = await put(body);
    expect([refused.status, paths(refused)]).toEqual([409, ["must", "n", "title"]]);
    const fine = await put({ fields: [...FIELDS, { name: "x", type: "text" }] }, {}, "?dryRun=true");
    expect(fine.data).toMatchObject({ added: ["x"], removed: [], records: 2, conflicts: [] });
    expect((await put({ fields: FIELDS }, {}, "?dryRun=true")).data).toMatchObject({
      records: 0,
      conflicts: [],
    });
    expect((await put({ fields, version: 7 }, {}, "?dryRun=true")).status).toBe(412);
    expect((await put({ fields }, {}, "?dryRun=maybe")).status).toBe(400);
    expect((await model()).data).toEqual(before);
  });

  it("counts values that prevent a field from becoming unique", async () => {
    await client.create("items", { title: "Hello" });
    const unique = [{ ...TITLE, unique: true }, N, J, ONE, MANY];
    const reply = await put({ fields: unique }, {}, "?dryRun=true");
    expect(reply.data["conflicts"]).toMatchObject([{ path: "title", records: 1 }]);
    expect((await put({ fields: unique })).status).toBe(409);
  });
});
