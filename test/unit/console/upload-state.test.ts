/** The states of uploads: what the list says of them together, and which of them "Clear" may take away. */
import { expect, it } from "vitest";
import { isOver, titleOf, type UploadState } from "../../../src/console/uploads/state.ts";

const uploads = (...states: UploadState[]): { state: UploadState }[] => states.map((state) => ({ state }));

it.each<[string, UploadState[]]>([
  ["Uploading 1 file", ["sending", "done", "failed", "paused"]],
  ["Uploading 3 files", ["waiting", "converting", "sending"]],
  ["1 file paused", ["paused", "done"]],
  ["2 files paused, 1 not uploaded", ["paused", "failed", "paused"]],
  ["1 file not uploaded", ["failed", "done"]],
  ["2 files uploaded", ["done", "done"]],
])("%s", (title, states) => {
  expect(titleOf(uploads(...states))).toBe(title);
});

it("what is paused or under way is not over", () => {
  const all = uploads("waiting", "converting", "sending", "paused", "done", "failed");
  expect(all.filter(isOver).map(({ state }) => state)).toEqual(["done", "failed"]);
});
