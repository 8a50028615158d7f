/** Exports and imports keep within the queries that D1 allows one invocation (RULES 18.1 and 18.4). */
import { describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { exported, imported, timeless } from "../support/exchange.ts";

cleanBetweenTests();

const idOf = (n: number): string => `01ARZ3NDEKTSV4RRFFQ${String(n).padStart(7, "0")}`;
const at = (second: number): string => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();

/** Makes a space with two locales, and records in both that each had other values before. */
async function withHistories(records: number): Promise<Client> {
  const client = await Client.make();
  await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
  await client.model("posts", [{ name: "title", type: "string", localized: true }]);
  const address = (n: number) => ({ typeModel: "collections", model: "posts", id: idOf(n) });
  const actor = null;
  const lines = Array.from({ length: records }, (_, n) => [
    {
      ...{ kind: "record", ...address(n), version: 2, createdAt: at(1), updatedAt: at(2) },
      editions: { en: { version: 2 }, de: { version: 2 } },
      data: { title: { en: `New ${n}`, de: `Neu ${n}` } },
    },
    {
      ...{ kind: "version", ...address(n), no: 1, version: 1, event: "created", isContent: true, actor },
      ...{ createdAt: at(1), changed: ["title"], locales: ["en", "de"] },
      data: { title: { en: `Old ${n}`, de: `Alt ${n}` } },
    },
    {
      ...{ kind: "version", ...address(n), no: 2, version: 2, event: "updated", isContent: true, actor },
      ...{ createdAt: at(2), changed: ["title"], locales: ["en", "de"] },
    },
  ]).flat();
  const texts = lines.map((line) => JSON.stringify(line));
  const { refused } = await imported(client, texts);
  expect(refused).toEqual([]);
  return client;
}

describe("an export (RULES 18.1)", () => {
  it("writes a full page of records that had other contents before", async () => {
    const from = await withHistories(400);
    const whole = await exported(from);
    expect(whole.lines).toHaveLength(2 + 3 * 400);
    expect(whole.pages).toHaveLength(2);
    const to = await Client.make();
    for (let start = 0; start < whole.lines.length; start += 1000)
      expect((await imported(to, whole.lines.slice(start, start + 1000))).refused).toEqual([]);
    expect(timeless((await exported(to)).lines)).toEqual(timeless(whole.lines));
  });
});
