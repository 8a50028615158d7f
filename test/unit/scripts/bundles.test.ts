import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../../scripts/bench/bundles.ts";

/** The most bytes that a deploy may upload of the edge Worker, gzipped. */
const EDGE_MAX_BYTES = 300 * 1024;

/** The same of the builder, whose font is static files. */
const BUILDER_MAX_BYTES = 2 * 1024 * 1024;

interface BundledFile {
  name: string;
  bytes: Buffer;
}

/** What a deploy uploads of the Worker of a configuration. */
function filesOf(config: string): BundledFile[] {
  const folder = bundle(config);
  const names = readdirSync(folder).filter((name) => !name.endsWith(".map") && name !== "README.md");
  const files = names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  rmSync(folder, { recursive: true, force: true });
  return files;
}

const gzippedBytes = (files: BundledFile[]): number =>
  files.reduce((sum, { bytes }) => sum + gzipSync(bytes).length, 0);

it("the builder's bundle has at most 2 MB, gzipped", () => {
  const files = filesOf("src/builder/wrangler.toml");
  expect(files.filter(({ name }) => name.endsWith(".wasm")).length).toBeGreaterThan(5);
  expect(gzippedBytes(files)).toBeLessThanOrEqual(BUILDER_MAX_BYTES);
});

describe("the edge Worker's bundle", () => {
  let files: BundledFile[];
  beforeAll(() => void (files = filesOf("wrangler.toml")));

  it("is one script of at most 300 KB, gzipped", () => {
    expect(files.map(({ name }) => name)).toEqual(["index.js"]);
    expect(gzippedBytes(files)).toBeLessThanOrEqual(EDGE_MAX_BYTES);
  });

  it("has no words of the API document, and no writers of JSON Schemas or relational queries", () => {
    const script = files.map(({ bytes }) => bytes.toString()).join();
    expect(script).toContain("/api/v1/:spaceName/trash");
    for (const leftOut of ["List the trash", "json-schema.org", "buildRelationalQuery"])
      expect(script).not.toContain(leftOut);
  });
});
