import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PARAMETER_READMES, withParameterTable } from "../../../../scripts/readme/parameters.ts";

it.each(PARAMETER_READMES)(
  "%s has the table of parameters (else: scripts/readme/parameters.ts)",
  async (file) => {
    expect(readFileSync(file, "utf8")).toBe(await withParameterTable(file));
  },
);
