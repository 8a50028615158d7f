import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { newClone } from "../../../../scripts/deploy/rehearsal/clone.ts";

const made: string[] = [];
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** Makes a repository with one commit of the files that git does not ignore. */
function repository(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "silverprint-repository-"));
  made.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const git = (...args: string[]): Buffer =>
    execFileSync("git", ["-C", root, "-c", "user.name=Test", "-c", "user.email=test@example.com", ...args]);
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Begin");
  return root;
}

it("a clone has what is built, and nothing of a wrangler at work", () => {
  const root = repository({
    ".gitignore": "*.wasm\n.wrangler/\nnode_modules/\n",
    "package-lock.json": "{}",
    "src/index.ts": "export {};",
    "src/builder/wasm/codec.wasm": "built",
    "src/builder/.wrangler/tmp/dev-1/codec.wasm": "at work",
  });
  const clone = newClone(root);
  const { directory } = clone;
  made.push(directory);
  expect(existsSync(join(directory, "src/index.ts"))).toBe(true);
  expect(existsSync(join(directory, "src/builder/wasm/codec.wasm"))).toBe(true);
  expect(existsSync(join(directory, "src/builder/.wrangler"))).toBe(false);
  expect(clone.changes()).toBe("");
});
