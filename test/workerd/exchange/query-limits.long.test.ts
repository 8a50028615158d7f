/** Exports and imports that use up the queries of their invocations (RULES 18.1 and 18.4). */
import { describe, expect, it } from "vitest";
import { CONTENT } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { FIXTURE } from "../support/bindings/deployed-d1.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { exported, imported } from "../support/exchange.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

describe("an export (RULES 18.1)", () => {
  it("ends a page of many models where its queries do, and the next one goes on", async () => {
    const client = await Client.make();
    await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
    const model = { typeModel: "collections", name: "posts", drafts: true };
    const fields = [{ name: "title", type: "string", localized: true }];
    await client.call("POST", "/models", { ...model, fields });
    await client.create("posts", { title: "One" });
    // Each model is some queries, and has one line beside that of its record.
    await bindings.DB.batch(
      [
        `WITH RECURSIVE n(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < ${CONTENT.modelsPerSpaceMax})
          INSERT INTO models (space_id, type_model, name, drafts, fields, last_field, version, created_at, updated_at)
          SELECT space_id, type_model, name || n, drafts, fields, last_field, version, created_at, updated_at
          FROM models, n`,
        `INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at, locales)
          SELECT m.id, m.space_id, r.id, r.data, r.folded, r.size_bytes, r.version, r.created_at, r.updated_at, r.locales
          FROM records r JOIN models m ON m.id <> r.model_id`,
      ].map((sql) => bindings.DB.prepare(`${FIXTURE} ${sql}`)),
    );
    const whole = await exported(client);
    const records = whole.lines.filter((line) => line.startsWith('{"kind":"record"'));
    expect(records).toHaveLength(CONTENT.modelsPerSpaceMax);
    expect(new Set(records).size).toBe(records.length);
    expect(whole.pages.length).toBeGreaterThan(1);
  });
});

describe("an import (RULES 18.4)", () => {
  it("leaves what it has no queries for when it overwrites a full page of lines, and a second one goes on", async () => {
    const client = await Client.make();
    await client.model("posts", [{ name: "title", type: "string" }]);
    const lines = (title: string): string[] =>
      Array.from({ length: 1000 }, (_, n) =>
        JSON.stringify({
          ...{ kind: "record", typeModel: "collections", model: "posts", version: 1, data: { title } },
          id: `01ARZ3NDEKTSV4RRFFQ${String(n).padStart(7, "0")}`,
          ...{ createdAt: "2026-01-02T03:04:05.678Z", updatedAt: "2026-01-02T03:04:05.678Z" },
        }),
      );
    expect((await imported(client, lines("One"))).refused).toEqual([]);
    const first = await imported(client, lines("Two"), "?overwrite=true");
    expect(first.imported).toBeGreaterThan(200);
    expect(first.imported + first.refused.length).toBe(1000);
    for (const { message } of first.refused) expect(message).toContain("Send the line again");
    const left = first.refused.map(({ line }) => lines("Two")[line - 1] ?? "");
    const second = await imported(client, left.slice(0, 200), "?overwrite=true");
    expect(second).toMatchObject({ imported: 200, refused: [] });
  });
});
