import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { bundle, isUploaded, largestParts } from "../../../scripts/bench/edge/bundles.ts";
import { ofRing } from "../../support/ring.ts";

/** The most bytes that a deploy may upload of the edge Worker, gzipped. */
const EDGE_MAX_BYTES = 440 * 1024;

/** The same of the builder, whose font is static files. */
const BUILDER_MAX_BYTES = 2 * 1024 * 1024;

/** Parts of a script that are named when it is too large. */
const NAMED_PARTS = 12;

interface Bundle {
  files: { name: string; bytes: Buffer }[];
  largestParts: string[];
}

/** Returns the files that a deploy uploads of the Worker of a configuration. */
function bundleOf(config: string): Bundle {
  const folder = bundle(config);
  const names = readdirSync(folder).filter(isUploaded);
  const files = names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  const parts = largestParts(folder, NAMED_PARTS);
  rmSync(folder, { recursive: true, force: true });
  return { files, largestParts: parts };
}

const gzippedBytes = ({ files }: Bundle): number =>
  files.reduce((sum, { bytes }) => sum + gzipSync(bytes).length, 0);

/** The bundle that the second ring alone makes. The first holds the bound that changes of the edge come near. */
const [, ...ofSecondRing] = ofRing(["edge", "builder"], 2);

it.each(ofSecondRing)("the %s's bundle has at most 2 MB, gzipped", () => {
  const builder = bundleOf("src/builder/wrangler.toml");
  expect(builder.files.filter(({ name }) => name.endsWith(".wasm")).length).toBeGreaterThan(5);
  expect(gzippedBytes(builder)).toBeLessThanOrEqual(BUILDER_MAX_BYTES);
});

describe("the edge Worker's bundle", () => {
  let edge: Bundle;
  beforeAll(() => void (edge = bundleOf("wrangler.toml")));

  it("is one script of at most 440 KB, gzipped", () => {
    expect(edge.files.map(({ name }) => name)).toEqual(["index.js"]);
    expect(gzippedBytes(edge), `The largest parts: ${edge.largestParts.join(", ")}`).toBeLessThanOrEqual(
      EDGE_MAX_BYTES,
    );
  });
});
