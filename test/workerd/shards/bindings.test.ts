/** The databases of a deployment by their numbers (RULES 12.1). */
import { describe, expect, it } from "vitest";
import {
  checkDatabases,
  databaseCount,
  shardD1,
  shardsOf,
  type DatabaseBindings,
} from "../../../src/edge/shards/bindings.ts";

const d1 = (name: string): D1Database => ({ name }) as unknown as D1Database;
const bound = (...names: string[]): DatabaseBindings =>
  Object.fromEntries(names.map((name) => [name, d1(name)])) as unknown as DatabaseBindings;

describe("the bindings of databases", () => {
  it("are counted up to the first that is missing", () => {
    expect(databaseCount(bound("DB"))).toBe(1);
    expect(shardsOf(bound("DB", "DB_1", "DB_2"))).toEqual([0, 1, 2]);
    const all = bound("DB", ...Array.from({ length: 40 }, (_, n) => `DB_${n + 1}`));
    expect(databaseCount(all)).toBe(32);
  });

  it("are refused with a gap, which would hide the databases after it", () => {
    expect(() => checkDatabases(bound("DB", "DB_1"))).not.toThrow();
    expect(() => checkDatabases(bound("DB", "DB_1", "DB_3"))).toThrow("DB_3 is there, but DB_2 is missing");
  });

  it("give each database by its number, or say which is missing", () => {
    const env = bound("DB", "DB_1");
    expect(shardD1(env, 0)).toBe(env.DB);
    expect(shardD1(env, 1)).toBe(env.DB_1);
    expect(() => shardD1(env, 2)).toThrow("database 2, but DB_2 is not bound");
  });
});
