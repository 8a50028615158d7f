/**
 * Shows whether this checkout and another one build the same variants, byte for byte:
 *
 *     node scripts/run.mjs scripts/measure/same-bytes.ts OTHER-CHECKOUT [--only=TEXT]
 *
 * Both build variants and placeholders of the same masters: every kind that the tests know. `--only` takes the masters
 * whose name contains the text. Exits with 1 when a variant, the facts of a master or a refusal differs.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import "../wasm/hooks.ts";

const { mastersForSameBytes } = await import("./same-bytes-masters.ts");

const HERE = fileURLToPath(new URL("../..", import.meta.url));
const ONLY = "--only=";

function hashesBy(checkout: string, masters: string, target: string): Record<string, string> {
  const command = ["scripts/run.mjs", "scripts/measure/variant-hashes.ts", masters, target];
  execFileSync(process.execPath, command, { cwd: checkout, stdio: "inherit" });
  return JSON.parse(readFileSync(target, "utf8")) as Record<string, string>;
}

const other = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
const only = process.argv.find((argument) => argument.startsWith(ONLY))?.slice(ONLY.length) ?? "";
if (!other) throw new Error("name the folder of the other checkout");

const folder = mkdtempSync(join(tmpdir(), "same-bytes-"));
try {
  const masters = join(folder, "masters");
  mkdirSync(masters);
  for (const [name, file] of Object.entries(await mastersForSameBytes()))
    if (name.includes(only)) writeFileSync(join(masters, name.replaceAll(/[^\w.]+/g, "-")), file);
  const theirs = hashesBy(resolve(other), masters, join(folder, "theirs.json"));
  const ours = hashesBy(HERE, masters, join(folder, "ours.json"));
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
  const differing = names.filter((name) => theirs[name] !== ours[name]);
  for (const name of differing)
    console.log(`${name}\n  there ${theirs[name] ?? "missing"}\n  here  ${ours[name] ?? "missing"}`);
  const built = Object.values(ours).filter((outcome) => /^[0-9a-f]{64}$/.test(outcome)).length;
  console.log(`${names.length} outcomes compared, ${built} of them files; ${differing.length} differ`);
  process.exitCode = differing.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
