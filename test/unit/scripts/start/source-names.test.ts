/** Stack traces of a bundle, in terms of its sources. */
import { transformSync } from "esbuild";
import { expect, it } from "vitest";
import { sourceNames } from "../../../../scripts/start/source-names.ts";

const SOURCE = `interface Padding {}

export function fail(): never {
  throw new Error("on purpose");
}
`;

it("names the file, line and column of the source", () => {
  const options = { loader: "ts", sourcemap: true, minify: true } as const;
  const { code, map } = transformSync(SOURCE, { ...options, sourcefile: "../../src/edge/app.ts" });
  const [line = "", ...before] = code
    .split("\n")
    .reverse()
    .filter((text) => text.includes("Error"));
  expect(before).toEqual([]);
  const at = `${code.split("\n").indexOf(line) + 1}:${line.indexOf("new Error") + 1}`;
  const name = sourceNames(map);
  expect(name(`at fail (index.js:${at})`)).toBe("at fail (src/edge/app.ts:4:9)");
  expect(name("at index.js:900:1 and elsewhere.js:1:1")).toContain("elsewhere.js:1:1");
  expect(name("no place")).toBe("no place");
});
