import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { schemaReadme } from "../../../../scripts/readme/schema.ts";

it("schema/README.md describes the tables and triggers of the migrations (else: scripts/readme/schema.ts)", async () => {
  const readme = await schemaReadme();
  expect(readFileSync("schema/README.md", "utf8")).toBe(readme);
  for (const known of ["`media_search`", "`space_totals_media_insert`"]) expect(readme).toContain(known);
});
