/** The marks of test files: a file that asks for its ring runs in both, and says so by its name. */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const files = globSync("test/{unit,workerd,e2e}/**/*.test.ts").sort();
/** The names that ask for the ring: the helpers of test/support/ring.ts, and helpers of tests that use them. */
const ASKS = /\b(?:rounds|ofRing|atEveryFailure|inBrowser)\(|\bBROWSER_OF_RING\b/;
const markOf = (path: string): string => /\.(\w+)\.test\.ts$/.exec(path)?.[1] ?? "";

describe("a test file", () => {
  it("has no mark but .rings and .long", () => {
    expect(new Set(files.map(markOf))).toEqual(new Set(["", "rings", "long"]));
  });

  it("is marked .rings exactly if it asks for the ring", () => {
    const self = "test/unit/rings.test.ts";
    const wrong = files
      .filter((path) => path !== self && markOf(path) !== "long")
      .filter((path) => ASKS.test(readFileSync(path, "utf8")) !== (markOf(path) === "rings"));
    expect(wrong).toEqual([]);
  });
});
