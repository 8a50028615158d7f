/** The secrets of a local start. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cursorSecret, rootToken } from "../../../../scripts/start/secrets.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "silverprint-secrets-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const modeOf = (file: string): number => statSync(file).mode & 0o777;

it("takes a root token of 32 characters from the environment, and refuses one of 31", () => {
  const file = join(directory, "vars");
  expect(rootToken("x".repeat(32), file)).toBe("x".repeat(32));
  expect(() => rootToken("x".repeat(31), file)).toThrow(
    /^The ROOT_TOKEN in the environment has 31 characters; it needs at least 32\. Make one with/,
  );
});

it("npm start ends at once with a root token that is too short", () => {
  const env = { ...process.env, ROOT_TOKEN: "short", DATA_DIR: directory };
  const { status, stderr } = spawnSync(process.execPath, ["scripts/start/index.ts"], {
    env,
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^The ROOT_TOKEN in the environment has 5 characters; it needs at least 32\./);
  expect(readdirSync(directory)).toEqual([]);
});

it("makes a root token once, in a file that nobody else may read", () => {
  const file = join(directory, "vars");
  const token = rootToken("", file);
  expect(token.length).toBeGreaterThanOrEqual(32);
  expect(rootToken("", file)).toBe(token);
  expect(modeOf(file)).toBe(0o600);
});

it("refuses a short root token of the file, and leaves the file as it was", () => {
  const file = join(directory, "vars");
  writeFileSync(file, 'OTHER="1"\nROOT_TOKEN="short"\n');
  expect(() => rootToken("", file)).toThrow(/has 5 characters/);
  expect(readFileSync(file, "utf8")).toBe('OTHER="1"\nROOT_TOKEN="short"\n');
});

it("keeps the cursor secret with the data, and no two folders have the same", () => {
  const [first, second] = [join(directory, "first"), join(directory, "second")];
  const secret = cursorSecret(first);
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(cursorSecret(first)).toBe(secret);
  expect(cursorSecret(second)).not.toBe(secret);
  expect(modeOf(join(first, "cursor-secret"))).toBe(0o600);
});
