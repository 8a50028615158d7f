/**
 * Runs one of our scripts, or a tool, on the Node that the project pins: installs what is missing first.
 * Written for any Node from 18 on, since it is what a fresh machine has.
 *
 *   node scripts/run.mjs scripts/start.ts [args]   a script of ours
 *   node scripts/run.mjs vitest run [args]         a tool from node_modules/.bin
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BIN = join(ROOT, "node_modules/.bin");
const STAMP = join(ROOT, "node_modules/.silverprint-installed");

/** Installs exactly what the lockfile says, once for each lockfile. */
function install() {
  const lock = createHash("sha256").update(readFileSync(join(ROOT, "package-lock.json"))).digest("hex");
  const installed = existsSync(STAMP) && readFileSync(STAMP, "utf8") === lock;
  if (installed && existsSync(join(BIN, "node"))) return;
  console.log("Installing dependencies (once) ...");
  const flags = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", flags, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(STAMP, lock);
}

install();
const [command = "", ...args] = process.argv.slice(2);
const env = { ...process.env, PATH: BIN + delimiter + process.env.PATH };
const node = join(BIN, "node");
const isScript = command.startsWith("scripts/");

if (spawnSync(node, [join(ROOT, "scripts/build-wasm.ts")], { cwd: ROOT, env, stdio: "inherit" }).status !== 0) {
  process.exit(1);
}
const child = isScript
  ? spawn(node, [join(ROOT, command), ...args], { cwd: ROOT, env, stdio: "inherit" })
  : spawn(join(BIN, command), args, { cwd: ROOT, env, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
