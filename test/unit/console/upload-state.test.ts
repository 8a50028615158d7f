/** The states of uploads: what the list says of them together, and which of them "Clear" may take away. */
import { expect, it } from "vitest";
import { isOver, titleOf, unfinishedWords, type UploadState } from "../../../src/console/uploads/state.ts";

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

it("what has not ended is lost with the session, and is counted", () => {
  expect(unfinishedWords(uploads("done", "failed"))).toBeNull();
  expect(unfinishedWords(uploads("done", "paused"))).toBe("1 file is not uploaded yet.");
  expect(unfinishedWords(uploads("waiting", "converting", "sending", "paused", "failed"))).toBe(
    "4 files are not uploaded yet.",
  );
});
