/** The list of tables by which spaces are moved and exported (RULES 12.6). */
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import * as schema from "../../../../../schema/tables.ts";
import { SPACE_TABLES, TABLES } from "../../../../../src/edge/storage/shards/tables.ts";

const all = Object.values(schema as Record<string, unknown>).filter((one): one is SQLiteTable =>
  is(one, SQLiteTable),
);
const columnsOf = (name: string): string[] =>
  all
    .filter((table) => getTableName(table) === name)
    .flatMap((table) => Object.values(getTableColumns(table)).map((column) => column.name));

describe("the list of tables", () => {
  it("names every table of the schema once: a new one moves with its space, or says why not", () => {
    expect(TABLES.map(({ name }) => name).sort()).toEqual(all.map((table) => getTableName(table)).sort());
    for (const table of TABLES) if ("stays" in table) expect(table.stays.length).toBeGreaterThan(10);
  });

  it("copies all columns but those that are said to be made anew", () => {
    for (const { name, columns, left = [] } of SPACE_TABLES)
      expect([...columns, ...left].sort(), name).toEqual(columnsOf(name).sort());
  });

  it("finds the rows of each by columns that the table has", () => {
    const key = { space: null, model: "model_id", record: "record", object: "key" };
    for (const { name, by, space, unit, counter } of SPACE_TABLES) {
      const needed = [key[by] ?? space, ...unit, ...(counter === undefined ? [] : [counter])];
      expect(columnsOf(name), name).toEqual(expect.arrayContaining(needed));
    }
  });
});
