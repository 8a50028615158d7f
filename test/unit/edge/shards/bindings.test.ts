/** One file names the bindings of databases, and their numbers have no gap (RULES 12.1). */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  checkDatabases,
  databaseCount,
  shardD1,
  shardsOf,
  type DatabaseBindings,
} from "../../../../src/edge/shards/bindings.ts";

const d1 = (name: string): D1Database => ({ name }) as unknown as D1Database;
const bound = (...names: string[]): DatabaseBindings =>
  Object.fromEntries(names.map((name) => [name, d1(name)])) as unknown as DatabaseBindings;

describe("the bindings of databases", () => {
  /** A member, a destructured property or a text of the name of such a binding. */
  const NAMES = /\.DB(?:_\d+)?\b|[{,]\s*DB(?:_\d+)?\s*[,:}]|["'`]DB(?:_[\d$]|["'`])/;
  const ALLOWED = ["src/edge/shards/bindings.ts", "src/edge/config.ts"];

  it("are named in one file, and required by the check of all bindings", () => {
    const files = globSync("src/**/*.{ts,tsx}").map((path) => path.replaceAll("\\", "/"));
    expect(files.length).toBeGreaterThan(300);
    expect(files.filter((path) => NAMES.test(readFileSync(path, "utf8"))).sort()).toEqual(ALLOWED.sort());
  });

  it("are found by the pattern in each way to write them", () => {
    const ways = [
      "env.DB.prepare",
      "({ DB }: Env)",
      "{ DB: d1 }",
      'env["DB"]',
      "env[`DB_${n}`]",
      "env.DB_2",
      "{ BUCKET, DB }",
    ];
    expect(ways.filter((way) => !NAMES.test(way))).toEqual([]);
  });

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
