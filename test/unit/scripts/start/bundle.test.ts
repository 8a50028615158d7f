/** When a Worker is bundled again. */
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { areUnchanged } from "../../../../scripts/start/bundle.ts";

const folder = mkdtempSync(join(tmpdir(), "silverprint-bundle-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("happens when a file that went into it has changed, even to an older one, or is gone", () => {
  const [one, other] = [join(folder, "one.ts"), join(folder, "other.ts")];
  for (const path of [one, other]) writeFileSync(path, "");
  const files = { [one]: statSync(one).mtimeMs, [other]: statSync(other).mtimeMs };
  expect(areUnchanged(files)).toBe(true);
  utimesSync(one, new Date(0), new Date(0));
  expect(areUnchanged(files)).toBe(false);
  expect(areUnchanged({ [other]: files[other] as number })).toBe(true);
  rmSync(other);
  expect(areUnchanged({ [other]: files[other] as number })).toBe(false);
});
