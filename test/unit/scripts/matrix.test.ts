/** What the repository shows of the matrix is what was measured, and what was measured holds. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cellsOf, keyOf } from "../../../scripts/bench/matrix/cells.ts";
import { defectOf } from "../../../scripts/bench/matrix/defects.ts";
import { drawn } from "../../../scripts/bench/matrix/draw.ts";
import { MASTERS } from "../../../scripts/bench/matrix/masters.ts";
import { readResults } from "../../../scripts/bench/matrix/results.ts";
import { time } from "../../../scripts/bench/matrix/table.ts";

const results = readResults();

it.each([
  [7.35, "7.3 ms"],
  [55.6, "56 ms"],
  [143, "140 ms"],
  [994, "990 ms"],
  [996, "1.0 s"],
  [12_300, "12 s"],
])("writes %d ms as %s", (ms, text) => {
  expect(time(ms)).toBe(text);
});

// Results that a change of the encoders has made stale are removed with it, until the matrix is measured again.
describe.runIf(results.cells.length > 0)("the matrix", () => {
  it("has a result for every cell, and no other", () => {
    const cells = MASTERS.flatMap((kind) =>
      kind.megapixels.flatMap((megapixels) => cellsOf(kind, megapixels)),
    );
    expect(results.cells.map(keyOf)).toEqual(cells.map(keyOf));
    expect(results.chain.length).toBeGreaterThan(0);
  });

  it("was measured without a defect", () => {
    expect(results.cells.map((cell) => [keyOf(cell), defectOf(cell)]).filter(([, defect]) => defect)).toEqual(
      [],
    );
  });

  it("is shown as it was measured: on its page, and in both charts", async () => {
    for (const [file, text] of await drawn(results)) {
      expect(readFileSync(file, "utf8") === text, `${file.pathname} is not drawn from the results`).toBe(
        true,
      );
    }
  });
});
