/** Injection through queries and paths: nothing is found by it, nothing is changed, nothing leaks across spaces. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Client, Reply } from "../support/api.ts";
import { isClear, makeNotes, NOTES } from "../support/notes.ts";
import { bindings } from "../support/rows.ts";

let client: Client;

beforeAll(async () => {
  client = await makeNotes();
  const other = await makeNotes();
  await other.create("notes", { title: "secret" });
  await client.create("notes", { title: "mine", n: 1 });
});

/** Enough for some hundred requests on a busy machine. It does not measure speed. */
const MANY_REQUESTS_MS = 600_000;

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
    "through names of fields, operators, sorts, populate, selectFields and cursors is refused",
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

  it("is plain text when it is the value of a field, and found as such", async () => {
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
