/** Alt texts while they are typed and saved: a language's text stays until it is stored, whichever is shown. */
import { expect, it } from "vitest";
import { stateOf, textIn, withEnded, withTyped } from "../../../src/console/item/alt-drafts.ts";

it("a text that could not be stored stays, and is told while another language is shown", () => {
  expect(stateOf({})).toBe("idle");
  let drafts = withTyped({}, "de", "Ein Ufer");
  expect(stateOf(drafts)).toBe("saving");
  drafts = withEnded(drafts, "de", "Ein Ufer", false);
  expect([stateOf(drafts), textIn(drafts, "de", "old")]).toEqual(["failed", "Ein Ufer"]);
  drafts = withEnded(withTyped(drafts, "en", "A shore"), "en", "A shore", true);
  expect([stateOf(drafts), textIn(drafts, "de", "old")]).toEqual(["failed", "Ein Ufer"]);
  drafts = withEnded(withTyped(drafts, "de", "Das Ufer"), "de", "Das Ufer", true);
  expect(stateOf(drafts)).toBe("saved");
  // The stored text may have been changed elsewhere since.
  expect(textIn(drafts, "de", "Stored")).toBe("Stored");
});

it("the end of a save says nothing about a later text", () => {
  const drafts = withTyped(withTyped({}, "de", "One"), "de", "Two");
  for (const isStored of [true, false]) expect(withEnded(drafts, "de", "One", isStored)).toBe(drafts);
});
