/** A model with more records than one statement indexes: a new field is indexed in slices, all of it, exactly once. */
import { expect, it } from "vitest";
import { SLICE } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

const RECORDS = 3 * SLICE.rows + 500;

it("a field added to a large model works in filters and sorts for every record", async () => {
  const client = await Client.make();
  await client.model("many", [{ name: "n", type: "number" }]);
  await client.create("many", { n: -1 });
  await bindings.DB.prepare(
    `/* fixture */ WITH RECURSIVE i(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n + 1 < ?1)
     INSERT INTO records (model_id, space_id, id, data, size_bytes, version, created_at, updated_at)
     SELECT m.id, m.space_id, printf('R%025d', n), '{"1":1}', 7, 1, 1, 1 FROM models m, i WHERE m.space_id = ?2`,
  )
    .bind(RECORDS, client.space.id)
    .run();
  const fields = [
    { name: "n", type: "number" },
    { name: "added", type: "string", default: "x" },
  ];
  const changed = await client.call("PUT", "/models/collections/many", { fields });
  expect(changed.status).toBe(200);
  const indexed = await bindings.DB.prepare(
    `SELECT count(*) AS total, count(DISTINCT record) AS records FROM record_values
     WHERE model_id = (SELECT id FROM models WHERE space_id = ?) AND value = 'x'`,
  )
    .bind(client.space.id)
    .first();
  expect(indexed).toEqual({ total: RECORDS + 1, records: RECORDS + 1 });
  const page = await client.call<object[]>(
    "GET",
    "/data/collections/many?filter[added][eq]=x&sort=added,-n&limit=1",
  );
  expect(page.data).toMatchObject([{ added: "x" }]);
  expect(
    (
      await client.call("PUT", "/models/collections/many", {
        fields: fields.slice(0, 1),
        drop: fields.map(({ name }) => name).slice(1),
      })
    ).status,
  ).toBe(200);
  expect((await client.call("GET", "/data/collections/many?sort=added")).status).toBe(400);
}, 120_000);
