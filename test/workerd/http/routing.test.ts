/** Answers that no handler gives: unknown routes, wrong methods, bodies that cannot be read. */
import { Context } from "hono";
import { describe, expect, it } from "vitest";
import { parametersIn } from "../../../src/edge/http/endpoint.ts";
import { call, Client } from "../support/api.ts";

const CORS = "Access-Control-Allow-Origin";

describe("every answer under /api/ (RULES 1.3, 1.5)", () => {
  it("has CORS headers, a request id and a Cache-Control, even if no route matches", async () => {
    const client = await Client.make();
    const space = `/api/v1/${client.space.name}`;
    const asked: [string, string, number][] = [
      ["GET", "/api/v1/no/such/route/at/all/here", 404],
      ["GET", "/api/", 404],
      ["POST", `${space}/usage`, 405],
      ["DELETE", `${space}/settings`, 405],
      ["GET", `${space}/nothing`, 404],
      ["GET", `${space}/models/collections/nope`, 404],
      ["GET", `${space}/models?limit=0`, 400],
    ];
    for (const [method, path, status] of asked) {
      const reply = await call(method, path);
      expect([path, reply.status]).toEqual([path, status]);
      expect([path, reply.headers.get(CORS)]).toEqual([path, "*"]);
      expect(reply.headers.get("X-Request-Id")).toBe(reply.error.requestId);
      expect(reply.headers.get("Cache-Control")).toBe("no-store");
    }
    const wrong = await call("POST", `${space}/usage`);
    expect(wrong.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
    expect(wrong.headers.get("Access-Control-Expose-Headers")).toContain("Allow");
  });
});

describe("a query", () => {
  it("of a second question mark names an unknown parameter (RULES 1.6)", async () => {
    const client = await Client.make();
    await client.model("items", [{ name: "title", type: "string" }]);
    for (const [path, status] of [
      ["/data/collections/items?status=draft", 200],
      ["/data/collections/items??status=draft", 400],
      ["/media??limit=5", 400],
      ["/audit??limit=5", 400],
    ] as const) {
      const reply = await client.call("GET", path);
      expect([path, reply.status]).toEqual([path, status]);
    }
  });

  it.each([
    ["https://host/path", ""],
    ["https://host/path?a=1&b=2", "a=1&b=2"],
    ["https://host/path??a=1", "%3Fa=1"],
    ["https://host/path?a=1?b=2", "a=1%3Fb%3D2"],
    ["https://host/path#?a=1", ""],
    ["https://host/path?a=1#?b=2", "a=1"],
  ])("of %s is %s", (url, expected) => {
    expect(parametersIn(new Context(new Request(url))).toString()).toBe(expected);
  });
});

describe("a body", () => {
  it("with a Content-Encoding is 415, whatever the route", async () => {
    const client = await Client.make();
    await client.model("items", [{ name: "title", type: "string" }]);
    const sent: [string, string][] = [
      ["POST", "/data/collections/items"],
      ["PATCH", "/settings"],
      ["POST", "/media"],
    ];
    for (const [method, path] of sent) {
      for (const encoding of ["gzip", "br", "x-unknown", "identity, gzip"]) {
        const options = { text: "{}", headers: { "Content-Encoding": encoding } };
        const reply = await client.call(method, path, undefined, options);
        expect([path, encoding, reply.status, reply.error.code]).toEqual([
          path,
          encoding,
          415,
          "UNSUPPORTED_CONTENT_TYPE",
        ]);
      }
    }
    const plain = { text: "{}", headers: { "Content-Encoding": "identity" } };
    expect((await client.call("POST", "/data/collections/items", undefined, plain)).status).toBe(201);
  });

  it("gets at most 200 details of limited length, however many faults it has (RULES 1.3)", async () => {
    const client = await Client.make();
    const unknown = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`unknown${i}`, 1]));
    const settings = await client.call("PATCH", "/settings", unknown);
    expect([settings.status, settings.error.details?.length]).toEqual([400, 200]);
    const long = await client.call("PATCH", "/settings", { ["x".repeat(900_000)]: 1, "\ud800": 1 });
    expect(long.status).toBe(400);
    expect(JSON.stringify(long.error).length).toBeLessThan(2000);
    const values = Array.from({ length: 200 }, (_, i) => `${i}`.padStart(200, "v"));
    const fields = Array.from({ length: 100 }, (_, i) => ({ name: `f${i}`, type: "enum", values }));
    await client.model("wide", fields.slice(0, 20));
    const wrong = Object.fromEntries(fields.slice(0, 20).map(({ name }) => [name, "other"]));
    const record = await client.call("POST", "/data/collections/wide", wrong);
    expect([record.status, record.error.details?.length]).toEqual([400, 20]);
    expect(JSON.stringify(record.error).length).toBeLessThan(20_000);
    const query = Array.from({ length: 400 }, (_, i) => `p${i}=1`).join("&");
    const parameters = await client.call("GET", `/models?${query}`);
    expect([parameters.status, parameters.error.details?.length]).toEqual([400, 200]);
    expect(parameters.error.message.length).toBeLessThan(2000);
  });
});

describe("text", () => {
  it("is well-formed Unicode without NUL wherever it is stored (RULES 1.8)", async () => {
    const client = await Client.make();
    for (const name of ["a\\ud800", "\\udc00", "a\\u0000b"]) {
      const key = await client.call("POST", "/keys", undefined, {
        text: `{"name": "${name}", "role": "read"}`,
      });
      expect([name, key.status, key.error.details?.[0]?.path]).toEqual([name, 400, "name"]);
      for (const field of ["alt", "filename"]) {
        const text = `{"${field}": "${name}"}`;
        const media = await client.call("PATCH", "/media/01ARZ3NDEKTSV4RRFFQ69G5FAV", undefined, { text });
        expect([text, media.status, media.error.details?.[0]?.path]).toEqual([text, 400, field]);
      }
    }
  });
});

describe("a number", () => {
  it("that a double cannot represent is refused, and one that it can is stored", async () => {
    const client = await Client.make();
    await client.model("numbers", [
      { name: "n", type: "number" },
      { name: "j", type: "json" },
    ]);
    const post = (text: string) => client.call("POST", "/data/collections/numbers", undefined, { text });
    const lost = [
      "9007199254740993",
      "-9007199254740993",
      "12345678901234567890",
      "9007199254740993.0",
      "1e999",
      "-1e400",
      "1e-400",
      "0.1234567890123456789",
      "90071992547409930000e-4",
    ];
    for (const number of lost) {
      for (const [body, path] of [
        [`{"n": ${number}}`, "n"],
        [`{"j": {"deep": [1, ${number}]}}`, "j"],
      ] as const) {
        const reply = await post(body);
        expect([body, reply.status, reply.error.details?.[0]?.path]).toEqual([body, 400, path]);
      }
    }
    const both = await post(`{"n": 9007199254740993, "j": 1e999, "nope": 1}`);
    expect(both.error.details?.map(({ path }) => path).sort()).toEqual(["j", "n", "nope"]);
    const kept: [string, number][] = [
      ["9007199254740992", 9007199254740992],
      ["18446744073709551616", 18446744073709551616],
      ["1e23", 1e23],
      ["100000000000000000000000", 1e23],
      ["0.1", 0.1],
      ["0.30000000000000004", 0.30000000000000004],
      ["0.10000000000000001", 0.1],
      ["-0.0", 0],
      ["5e-324", 5e-324],
      ["1.7976931348623157e308", Number.MAX_VALUE],
      ["0e999", 0],
    ];
    for (const [text, value] of kept) {
      const reply = await post(`{"n": ${text}, "j": "9007199254740993 is text"}`);
      expect([text, reply.status, reply.data["n"]]).toEqual([text, 201, value]);
    }
  });
});
