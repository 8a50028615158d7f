import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { noteKept, readKept } from "../../../../scripts/bench/content/kept.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "kept-"))));
afterEach(() => rmSync(folder, { recursive: true }));

it("keeps nothing in a folder that no run has used", () => {
  expect(readKept(folder, 100)).toBeNull();
  expect(readKept(join(folder, "none"), 100)).toBeNull();
});

it("gives a run with as many records what an earlier one has kept", () => {
  const kept = { migration: "0001_first.sql", records: 100 };
  noteKept(join(folder, "new"), kept);
  expect(readKept(join(folder, "new"), 100)).toEqual(kept);
});

it("refuses a run with another number of records", () => {
  noteKept(folder, { migration: "0001_first.sql", records: 100 });
  expect(() => readKept(folder, 2000)).toThrow(
    `${folder} keeps 100 records a space, not 2000. Ask for 100, or name another folder.`,
  );
});
