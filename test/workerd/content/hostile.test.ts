/** The hostile tour: each attempt is a clear 4xx, nothing is changed, nothing leaks across spaces. */
import { beforeAll, describe, expect, it } from "vitest";
import { call, Client, type Reply } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

let client: Client;
let other: Client;
let secretId: string;

beforeAll(async () => {
  client = await Client.make();
  other = await Client.make();
  for (const one of [client, other]) {
    await one.model("notes", [
      { name: "title", type: "string" },
      { name: "n", type: "number" },
      { name: "when", type: "datetime" },
      { name: "kind", type: "enum", values: ["a", "b"] },
      { name: "on", type: "boolean" },
      { name: "body", type: "text" },
      { name: "json", type: "json" },
      { name: "link", type: "relation", to: "notes" },
      { name: "links", type: "relation", to: "notes", multiple: true },
      { name: "constructor", type: "string" },
    ]);
  }
  secretId = await other.create("notes", { title: "secret" });
  await client.create("notes", { title: "mine", n: 1 });
});

/** No measure of speed: some hundred requests, on a machine that may be busy. */
const MANY_REQUESTS_MS = 60_000;
const NOTES = "/data/collections/notes";
const isClear = (reply: Reply): boolean =>
  reply.status >= 400 && reply.status < 500 && Boolean(reply.error.code);

const INJECTIONS = [
  "' OR 1=1 --",
  "'; DROP TABLE records; --",
  '") OR 1=1 --',
  "$.title",
  '$."1"',
  "1) UNION SELECT * FROM api_keys --",
  "%",
  "_",
  "\\",
  "[0]",
  "a.b",
  "rowid",
  "data",
  "\u0000",
  "__proto__",
  "toString",
  "hasOwnProperty",
];

describe("keys", () => {
  it("of another space find no space, too low roles are forbidden, unknown ones are no one", async () => {
    const foreign = { key: await other.key("admin") };
    const reader = { key: await client.key("read") };
    const writer = { key: await client.key("write") };
    const mine = (await client.call<{ id: string }[]>("GET", NOTES)).data[0]?.id ?? "";
    const routes: [string, string, object?][] = [
      ["GET", `${NOTES}/${mine}`],
      ["GET", NOTES],
      ["POST", NOTES, {}],
      ["PUT", `${NOTES}/${mine}`, { title: "x" }],
      ["DELETE", `${NOTES}/${mine}`],
      ["GET", "/models"],
      ["GET", "/models/collections/notes"],
      ["PUT", "/models/collections/notes", { fields: [] }],
      ["DELETE", "/models/collections/notes"],
      ["GET", "/trash"],
      ["POST", `/trash/${mine}/restore`],
      ["DELETE", `/trash/${mine}`],
      ["GET", "/usage"],
      ["GET", "/activity"],
    ];
    for (const [method, path, body] of routes) {
      const as = async (options: { key: string | null }) =>
        (await client.call(method, path, body, options)).status;
      expect([method, path, await as(foreign)]).toEqual([method, path, 404]);
      expect([method, path, await as({ key: null })]).toEqual([method, path, 401]);
      expect([method, path, await as({ key: "sp_unknown" })]).toEqual([method, path, 401]);
      if (method !== "GET") expect([method, path, await as(reader)]).toEqual([method, path, 403]);
    }
    for (const path of ["/models/collections/notes", `/trash/${mine}`]) {
      expect((await client.call("DELETE", path, undefined, writer)).status).toBe(403);
    }
    // The answer is that of a space that does not exist, to the letter.
    const there = await client.call("GET", NOTES, undefined, foreign);
    const nowhere = await call("GET", `/api/v1/no-such-space${NOTES}`, undefined, foreign);
    expect({ ...there.error, requestId: "" }).toEqual({ ...nowhere.error, requestId: "" });
    expect((await client.call("GET", `${NOTES}/${secretId}`)).status).toBe(404);
    expect((await client.call("POST", NOTES, { link: secretId })).status).toBe(400);
    expect((await client.call("POST", `/trash/${secretId}/restore`)).status).toBe(404);
  });
});

describe("injection", () => {
  it(
    "through filter values matches nothing or is refused",
    async () => {
      for (const field of [
        "title",
        "n",
        "when",
        "kind",
        "on",
        "body",
        "link",
        "id",
        "createdAt",
        "constructor",
      ]) {
        for (const text of INJECTIONS) {
          for (const operator of ["eq", "in", "contains", "gt"]) {
            const query = new URLSearchParams({ [`filter[${field}][${operator}]`]: text });
            const reply = await client.call<{ title: string }[]>("GET", `${NOTES}?${query.toString()}`);
            if (reply.status !== 200) expect(isClear(reply as unknown as Reply)).toBe(true);
            else expect(reply.data.every(({ title }) => title === "mine")).toBe(true);
            if (reply.status === 200 && operator === "eq") expect(reply.data).toEqual([]);
          }
        }
      }
    },
    MANY_REQUESTS_MS,
  );

  it(
    "through names of fields, operators, sorts, populate, selection and cursors is refused",
    async () => {
      for (const text of INJECTIONS) {
        const queries = [
          { [`filter[${text}][eq]`]: "1" },
          { [`filter[title][${text}]`]: "1" },
          { sort: text },
          { sort: `-${text}` },
          { selectFields: text },
          { populate: text },
          { populate: `link.${text}` },
          { cursor: text },
          { limit: text },
        ];
        for (const query of queries) {
          const reply = await client.call("GET", `${NOTES}?${new URLSearchParams(query).toString()}`);
          expect([JSON.stringify(query), reply.status]).toEqual([JSON.stringify(query), 400]);
        }
        for (const path of [
          `${NOTES}/${encodeURIComponent(text)}`,
          `/data/collections/${encodeURIComponent(text)}`,
        ]) {
          expect((await client.call("GET", path)).status).toBe(404);
        }
      }
      const { results } = await bindings.DB.prepare("SELECT count(*) AS n FROM records").all();
      expect(results[0]?.["n"]).toBeGreaterThan(0);
    },
    MANY_REQUESTS_MS,
  );

  it("finds a value that looks like one, as the text that it is", async () => {
    const ids = new Map<string, string>();
    for (const text of INJECTIONS.filter((one) => !one.includes("\0"))) {
      ids.set(text, await client.create("notes", { title: text, body: text, constructor: text }));
    }
    for (const [text, id] of ids) {
      for (const field of ["title", "body", "constructor"]) {
        const query = new URLSearchParams({ [`filter[${field}][eq]`]: text, selectFields: field });
        const reply = await client.call<object[]>("GET", `${NOTES}?${query.toString()}`);
        expect(reply.data).toEqual([{ id, [field]: text }]);
      }
    }
  });
});

describe("forged cursors", () => {
  it("are refused: changed by a letter, of another list, sort, filter, or space, or a trash's", async () => {
    for (const one of [client, other]) for (let i = 0; i < 3; i++) await one.create("notes", { n: i });
    const cursorOf = async (one: Client, query: string): Promise<string> =>
      (await one.call("GET", `${NOTES}?limit=1&${query}`)).meta.nextCursor ?? "";
    const cursor = await cursorOf(client, "sort=n");
    const use = async (query: string, value: string): Promise<[number, string | undefined]> => {
      const reply = await client.call("GET", `${NOTES}?${query}&cursor=${value}`);
      return [reply.status, reply.status === 200 ? undefined : reply.error.code];
    };
    expect(await use("sort=n", cursor)).toEqual([200, undefined]);
    const refused = [400, "INVALID_CURSOR"];
    expect(await use("sort=-n", cursor)).toEqual(refused);
    expect(await use("sort=n&filter[n][gt]=0", cursor)).toEqual(refused);
    expect(await use("", cursor)).toEqual(refused);
    expect(await use("sort=n", await cursorOf(other, "sort=n"))).toEqual(refused);
    for (const at of [0, 5, cursor.length - 2]) {
      const letter = cursor[at] === "A" ? "B" : "A";
      expect(await use("sort=n", cursor.slice(0, at) + letter + cursor.slice(at + 1))).toEqual(refused);
    }
    for (const made of ["", "AAAA", "e30", btoa("[1,2]").replaceAll("=", ""), "A".repeat(7000), "%00", "é"]) {
      expect(await use("sort=n", made)).toEqual(refused);
    }
    expect((await client.call("GET", `/trash?cursor=${cursor}`)).error.code).toBe("INVALID_CURSOR");
  });
});

describe("bodies", () => {
  const post = (text: string): Promise<Reply> => client.call("POST", NOTES, undefined, { text });

  it("of 1 MB and more are refused, long strings where they do not fit", async () => {
    const long = "x".repeat(1_000_000);
    expect((await post(JSON.stringify({ title: long }))).status).toBe(400);
    expect((await post(JSON.stringify({ body: long }))).status).toBe(201);
    const tooLong = await post(JSON.stringify({ body: "x".repeat(1_048_577) }));
    expect([tooLong.status, tooLong.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect((await client.call("GET", `${NOTES}?filter[title][eq]=${"x".repeat(5000)}`)).status).toBe(400);
    // Merged over the limit of a record: refused, and the record stays.
    const half = "x".repeat(600_000);
    const id = await client.create("notes", { body: half });
    const merged = await client.call("PUT", `${NOTES}/${id}`, { json: half });
    expect([merged.status, merged.error.code]).toEqual([400, "VALIDATION_FAILED"]);
  });

  it("10,000 deep are refused, 64 deep are kept", async () => {
    const deep = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect((await post(`{"json": ${deep(64)}}`)).status).toBe(201);
    expect((await post(`{"json": ${deep(65)}}`)).status).toBe(400);
    for (const text of [deep(10_000), deep(400_000)]) {
      const places = [
        `{"json": ${text}}`,
        `{"title": ${text}}`,
        text,
        `{"nope": ${text}}`,
        `{"links": ${text}}`,
      ];
      for (const body of places) expect(isClear(await post(body))).toBe(true);
      const field = `{"typeModel":"collections","name":"deep","fields":[{"name":"j","type":"json","default":${text}}]}`;
      expect(isClear(await client.call("POST", "/models", undefined, { text: field }))).toBe(true);
      expect(isClear(await client.call("POST", "/models", undefined, { text }))).toBe(true);
    }
  });

  it("with names from the prototype are fields or none, and pollute nothing", async () => {
    for (const text of [
      '{"__proto__": {"polluted": 1}}',
      '{"toString": 1}',
      '{"hasOwnProperty": "x"}',
      '{"valueOf": 1}',
    ]) {
      expect((await post(text)).status).toBe(400);
    }
    const made = await post(
      '{"constructor": "mine", "json": {"__proto__": {"polluted": 1}, "constructor": 2}}',
    );
    expect(made.status).toBe(201);
    const read = await client.call("GET", `${NOTES}/${String(made.data["id"])}`);
    expect(JSON.stringify(read.data["json"])).toBe('{"__proto__":{"polluted":1},"constructor":2}');
    expect(read.data["constructor"]).toBe("mine");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect((await client.call("POST", NOTES, {})).data["constructor"]).toBeNull();
  });

  it("with half a surrogate pair, U+0000 or broken UTF-8 are refused", async () => {
    const bodies = [
      '{"title": "\\ud800"}',
      '{"body": "a\\udc00b"}',
      '{"json": ["\\ud800"]}',
      '{"json": {"\\udfff": 1}}',
      '{"\\ud800": 1}',
      '{"title": "a\\u0000b"}',
      '{"kind": "\\ud800"}',
      '{"link": "\\ud800"}',
      '{"n": 1e999}',
      "",
      "{",
      "{}x",
    ];
    for (const text of bodies) expect([text, (await post(text)).status]).toEqual([text, 400]);
    expect((await post('{"title": "\\ud83d\\ude00"}')).data["title"]).toBe("😀");
    expect(
      (await client.call("POST", NOTES, undefined, { text: "{}", headers: { "Content-Type": "text/plain" } }))
        .status,
    ).toBe(415);
  });
});

describe("models", () => {
  it("that are malformed are refused with the place", async () => {
    const make = async (fields: unknown[], name = "bad"): Promise<Reply> =>
      client.call("POST", "/models", { typeModel: "collections", name, fields });
    const bad: [unknown, string][] = [
      [{ name: "id", type: "string" }, "fields.0.name"],
      [{ name: "__proto__", type: "string" }, "fields.0.name"],
      [{ name: "a b", type: "string" }, "fields.0.name"],
      [{ name: "a", type: "blob" }, "fields.0.type"],
      [{ name: "a", type: "string", maxlength: 5 }, "fields.0.maxlength"],
      [{ name: "a", type: "string", pattern: "(a+)+$(" }, "fields.0.pattern"],
      [{ name: "a", type: "string", pattern: "(?=a)" }, "fields.0.pattern"],
      [{ name: "a", type: "string", pattern: "((a{99}){99}){99}" }, "fields.0.pattern"],
      [{ name: "a", type: "string", pattern: "(((){9999}){9999}){9999}" }, "fields.0.pattern"],
      [{ name: "a", type: "string", maxLength: 2, default: "abc" }, "fields.0.default"],
      [{ name: "a", type: "number", min: 2, max: 1 }, "fields.0.min"],
      [{ name: "a", type: "enum", values: ["x", "x"] }, "fields.0.values"],
      [{ name: "a", type: "enum", values: [] }, "fields.0.values"],
      [{ name: "a", type: "relation", to: "nope" }, "fields.0.to"],
      [{ name: "a", type: "relation", to: "notes", multiple: true, unique: true }, "fields.0.unique"],
    ];
    for (const [field, path] of bad) {
      const reply = await make([field]);
      expect([JSON.stringify(field), reply.status, reply.error.details?.[0]?.path]).toEqual([
        JSON.stringify(field),
        400,
        path,
      ]);
    }
    expect(
      (
        await make([
          { name: "a", type: "text" },
          { name: "a", type: "text" },
        ])
      ).status,
    ).toBe(400);
    for (const name of ["Bad", "", "__proto__", "x".repeat(64), "a/b"])
      expect((await make([], name)).status).toBe(400);
    expect((await make([], "notes")).status).toBe(409);
  });

  it("whose pattern would backtrack for ever answer at once", async () => {
    await client.model("patterns", [{ name: "a", type: "string", pattern: "^(a+)+$" }]);
    const reply = await client.call("POST", "/data/collections/patterns", { a: `${"a".repeat(1900)}!` });
    expect(reply.status).toBe(400);
    expect((await client.call("POST", "/data/collections/patterns", { a: "a".repeat(1900) })).status).toBe(
      201,
    );
  });
});
