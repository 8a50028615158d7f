/** One file names the bindings of databases (RULES 12.1). */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

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
});
