/** The rules of the product stand in src/RULES.md: every citation names one of them, and no other document is cited. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => /\.(ts|mjs|toml|sql|md)$/.test(path) && path !== "src/RULES.md" && existsSync(path));

const rules = readFileSync("src/RULES.md", "utf8");
const numbers = new Set([...rules.matchAll(/^- \*\*(\d+\.\d+)/gm)].map(([, number]) => number));
const sections = new Set([...rules.matchAll(/^## (\d+)\. /gm)].map(([, number]) => number));

/** "RULES 3.6, 3.9", "RULES 7.2 and 7.3", "RULES 8.1 to 8.4", "RULES 5". */
const CITATION = /\bRULES(?:\.md)? (\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?)*)/g;
/** Documents that guided the work and are not part of it. */
const ELSEWHERE = /\b(?:interface|completion|design|beyond)(?:\.md)?,? (?:§|"SVG)/;

function unresolved(text: string): string[] {
  return [...text.matchAll(CITATION)]
    .flatMap(([, list = ""]) => list.split(/, | and | to /))
    .filter((number) => !numbers.has(number) && !sections.has(number));
}

describe("the rules", () => {
  it("have unique numbers", () => {
    const all = [...rules.matchAll(/^- \*\*(\d+\.\d+)/gm)].map(([, number]) => number);
    expect(all.length).toBeGreaterThan(40);
    expect(all).toHaveLength(numbers.size);
  });

  it("stand in ascending order of their numbers", () => {
    const all = [...rules.matchAll(/^- \*\*(\d+)\.(\d+)/gm)].map(
      ([, chapter, rule]) => Number(chapter) * 1000 + Number(rule),
    );
    expect(all).toEqual(all.toSorted((a, b) => a - b));
  });

  it("contain every rule that the repository cites", () => {
    const broken = files.flatMap((path) =>
      unresolved(readFileSync(path, "utf8")).map((number) => `${path}: ${number}`),
    );
    expect(broken).toEqual([]);
  });

  it("are cited in many places, so that the pattern finds them", () => {
    const cited = files.flatMap((path) => [...readFileSync(path, "utf8").matchAll(CITATION)]);
    expect(cited.length).toBeGreaterThan(60);
    expect(unresolved(["RULES", "99.1 and 5.1"].join(" "))).toEqual(["99.1"]);
  });

  it("are the only document of rules that is cited", () => {
    const self = "test/unit/rules.test.ts";
    expect(files.filter((path) => path !== self && ELSEWHERE.test(readFileSync(path, "utf8")))).toEqual([]);
  });
});
