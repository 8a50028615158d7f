/** Spaces of a deployment with three databases: made, found, renamed and removed (RULES 12.1 to 12.4). */
import { describe, expect, it } from "vitest";
import { SHARDS } from "../../../src/limits.ts";
import { call } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { databases } from "../support/rows.ts";

cleanBetweenTests();

interface Made {
  id: string;
  name: string;
  shard: number;
  databaseBytes?: number;
}

const make = async (name: string, more: object = {}): Promise<Made> => {
  const reply = await call<Made>("POST", "/api/v1/spaces", { name, ...more });
  expect(reply.status, JSON.stringify(reply.error)).toBe(201);
  return reply.data;
};
const all = async <Row>(shard: number, query: string): Promise<Row[]> =>
  (await (databases[shard] as D1Database).prepare(query).all<Row>()).results;

describe("a new space", () => {
  it("comes to the database with the fewest bytes, or to the one that is asked for", async () => {
    const made = [];
    for (const name of ["one", "two", "three", "four"]) made.push((await make(name)).shard);
    expect(made.slice(0, 3).sort()).toEqual([0, 1, 2]);
    expect((await make("five", { shard: 2 })).shard).toBe(2);
    const listed = await call<Made[]>("GET", "/api/v1/spaces");
    expect(listed.data.map(({ name }) => name)).toEqual(["five", "four", "three", "two", "one"]);
    expect(listed.data.map(({ shard }) => shard)).toEqual([2, ...made.toReversed()]);
    for (const { databaseBytes } of listed.data) expect(databaseBytes).toBeGreaterThan(100_000);
  });

  it("has all of its rows on its database, and its place in the directory", async () => {
    const { id } = await make("elsewhere", { shard: 2, tenantId: "tenant" });
    expect(await all(2, "SELECT id FROM spaces")).toEqual([{ id }]);
    expect(await all(0, "SELECT id FROM spaces")).toEqual([]);
    expect(await all(0, "SELECT space_id AS id, shard FROM space_places")).toEqual([{ id, shard: 2 }]);
    for (const shard of [0, 2]) {
      expect(await all(shard, "SELECT name FROM space_names ORDER BY name")).toEqual([
        { name: "elsewhere" },
        { name: "tenant" },
      ]);
    }
  });

  it("is refused a name of another database's space, and a database that is not there", async () => {
    await make("taken", { shard: 1, tenantId: "tenant" });
    for (const shard of [0, 1, 2]) {
      expect((await call("POST", "/api/v1/spaces", { name: "taken", shard })).status).toBe(409);
      expect((await call("POST", "/api/v1/spaces", { name: "tenant", shard })).status).toBe(409);
    }
    const reply = await call("POST", "/api/v1/spaces", { name: "more", shard: 3 });
    expect(reply.error.details).toEqual([
      { path: "shard", message: "must be below 3, the number of databases" },
    ]);
  });

  it("counts its rows from its database's block on (RULES 12.2)", async () => {
    const numbers: number[] = [];
    for (const shard of [0, 1, 2]) {
      // A move that another test made may have given this database a further block.
      await (databases[shard] as D1Database).prepare("DELETE FROM sqlite_sequence").run();
      await make(`numbers-${shard}`, { shard });
      const model = { typeModel: "collections", name: "posts", fields: [{ name: "title", type: "text" }] };
      expect((await call("POST", `/api/v1/numbers-${shard}/models`, model)).status).toBe(201);
      await call("POST", `/api/v1/numbers-${shard}/data/collections/posts`, { title: "one" });
      for (const [table, column] of [
        ["models", "id"],
        ["records", "seq"],
      ]) {
        const [row] = await all<{ n: number }>(shard, `SELECT ${column} AS n FROM ${table}`);
        expect(row?.n).toBeGreaterThan(shard * SHARDS.rowNumbersPerBlock);
        expect(row?.n).toBeLessThan((shard + 1) * SHARDS.rowNumbersPerBlock);
        numbers.push(row?.n ?? 0);
      }
      expect(
        (await call<unknown[]>("GET", `/api/v1/numbers-${shard}/data/collections/posts`)).data,
      ).toHaveLength(1);
    }
    expect(new Set(numbers.filter((_, n) => n % 2 === 1)).size).toBe(3);
    expect(SHARDS.databasesMax * SHARDS.rowNumbersPerBlock).toBeLessThan(Number.MAX_SAFE_INTEGER);
  });

  it("is refused by a database that was bound under another number", async () => {
    await make("first", { shard: 1 });
    await (databases[1] as D1Database).prepare("UPDATE this_shard SET shard = 2").run();
    expect((await call("POST", "/api/v1/spaces", { name: "second", shard: 1 })).status).toBe(500);
    expect(await all(1, "SELECT name FROM spaces")).toEqual([{ name: "first" }]);
  });
});
