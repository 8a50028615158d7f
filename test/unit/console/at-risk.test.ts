/** The things that end with a session (RULES 11.3): each is named once, for as long as it is at risk. */
import { expect, it } from "vitest";
import { atRisk, holdSession } from "../../../src/console/lib/at-risk.ts";

it("names what is at risk at the moment, each sentence once", () => {
  let uploads: string | null = null;
  const release = holdSession(() => uploads);
  expect(atRisk()).toEqual([]);
  uploads = "2 files are not uploaded yet.";
  const others = [holdSession(() => "A change waits."), holdSession(() => "A change waits.")];
  expect(atRisk()).toEqual(["2 files are not uploaded yet.", "A change waits."]);
  others[0]?.();
  expect(atRisk()).toEqual(["2 files are not uploaded yet.", "A change waits."]);
  others[1]?.();
  uploads = null;
  expect(atRisk()).toEqual([]);
  uploads = "1 file is not uploaded yet.";
  release();
  expect(atRisk()).toEqual([]);
});
