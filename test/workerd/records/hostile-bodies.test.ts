/** Bodies that are too long, too deep or malformed, and models that are: each is refused with a clear 4xx. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Client, Reply } from "../support/api.ts";
import { isClear, makeNotes, NOTES } from "../support/notes.ts";

let client: Client;

beforeAll(async () => {
  client = await makeNotes();
});

describe("bodies", () => {
  const post = (text: string): Promise<Reply> => client.call("POST", NOTES, undefined, { text });

  it("over 1 MB are refused, and so are strings that are too long for their field", async () => {
    const long = "x".repeat(1_000_000);
    expect((await post(JSON.stringify({ title: long }))).status).toBe(400);
    expect((await post(JSON.stringify({ body: long }))).status).toBe(201);
    const tooLong = await post(JSON.stringify({ body: "x".repeat(1_048_577) }));
    expect([tooLong.status, tooLong.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect((await client.call("GET", `${NOTES}?filter[title][eq]=${"x".repeat(5000)}`)).status).toBe(400);
    // A PUT that makes the record too large is refused, and the record stays as it is.
    const half = "x".repeat(600_000);
    const id = await client.create("notes", { body: half });
    const merged = await client.call("PUT", `${NOTES}/${id}`, { json: half });
    expect([merged.status, merged.error.code]).toEqual([400, "VALIDATION_FAILED"]);
  });

  it("may be nested 64 levels deep; deeper ones are refused", async () => {
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

  it("may name fields like properties of Object.prototype, which stays unchanged", async () => {
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
  it("that are malformed are refused, with the path of the fault", async () => {
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

  it("may have a pattern on which a backtracking engine would hang, and it is checked at once", async () => {
    await client.model("patterns", [{ name: "a", type: "string", pattern: "^(a+)+$" }]);
    const reply = await client.call("POST", "/data/collections/patterns", { a: `${"a".repeat(1900)}!` });
    expect(reply.status).toBe(400);
    expect((await client.call("POST", "/data/collections/patterns", { a: "a".repeat(1900) })).status).toBe(
      201,
    );
  });
});

describe("lists that are half a million items too long", () => {
  const zeros = `[${"0,".repeat(400_000)}0]`;

  it.each([
    ["POST", "/models", `{"typeModel": "collections", "name": "x", "fields": ${zeros}}`],
    ["PUT", "/models/collections/notes", `{"fields": ${zeros}}`],
    ["PUT", "/models/collections/notes", `{"fields": [], "drop": ${zeros}}`],
    ["POST", `${NOTES}/bulk`, `{"operations": ${zeros}}`],
    ["PATCH", "/settings", `{"aspectRatios": ${zeros}}`],
  ])("are refused by %s %s for their length alone", async (method, path, text) => {
    const { status, error } = await client.call(method, path, undefined, { text });
    expect([status, error.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(error.details).toHaveLength(1);
    expect(error.details?.[0]?.message).toMatch(/at most/);
  });
});
