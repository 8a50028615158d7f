import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../../scripts/bench/bundles.ts";

/** What a deploy may upload of the edge Worker, gzipped. The aim is 200 KB. */
const EDGE_MAX_BYTES = 200 * 1024;

let folder: string;
let files: { name: string; bytes: Buffer }[];
beforeAll(() => {
  folder = bundle("wrangler.toml");
  const names = readdirSync(folder).filter((name) => !name.endsWith(".map") && name !== "README.md");
  files = names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the edge Worker's bundle", () => {
  it("is one script of at most 200 KB, gzipped", () => {
    expect(files.map(({ name }) => name)).toEqual(["index.js"]);
    const bytes = files.reduce((sum, file) => sum + gzipSync(file.bytes).length, 0);
    expect(bytes).toBeLessThanOrEqual(EDGE_MAX_BYTES);
  });

  it("has no words of the API document, and no writers of JSON Schemas or relational queries", () => {
    const script = files.map(({ bytes }) => bytes.toString()).join();
    expect(script).toContain("/api/v1/:spaceName/trash");
    for (const leftOut of ["List the trash", "json-schema.org", "buildRelationalQuery"])
      expect(script).not.toContain(leftOut);
  });
});
