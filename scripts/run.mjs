/**
 * Runs one of our scripts, or a tool, on the Node that the project pins: installs what is missing first.
 * Written for any Node from 18 on, since it is what a fresh machine has.
 *
 *   node scripts/run.mjs scripts/start/index.ts [args]   a script of ours
 *   node scripts/run.mjs vitest run [args]         a tool from node_modules/.bin
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PARENT_POLL_MS = 200;
const BIN = join(ROOT, "node_modules/.bin");

/** What npm itself leaves behind an install: older than the lockfile, it is out of date. */
const INSTALLED = join(ROOT, "node_modules/.package-lock.json");

function isInstalled() {
  if (!existsSync(INSTALLED) || !existsSync(join(BIN, "node"))) return false;
  return statSync(INSTALLED).mtimeMs >= statSync(join(ROOT, "package-lock.json")).mtimeMs;
}

/** Not `npm ci`: some mirrors lack workerd's packages for other platforms, which it takes for a broken lockfile. */
function install() {
  if (isInstalled()) return;
  console.log("Installing dependencies (once) ...");
  const flags = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", flags, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) process.exit(status ?? 1);
}

install();
const [command = "", ...args] = process.argv.slice(2);
const env = { ...process.env, PATH: BIN + delimiter + process.env.PATH };
const node = join(BIN, "node");
const isScript = command.startsWith("scripts/");

if (
  spawnSync(node, [join(ROOT, "scripts/wasm/build.ts")], { cwd: ROOT, env, stdio: "inherit" }).status !== 0
) {
  process.exit(1);
}
const child = isScript
  ? spawn(node, [join(ROOT, command), ...args], { cwd: ROOT, env, stdio: "inherit" })
  : spawn(join(BIN, command), args, { cwd: ROOT, env, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// npm ends its shell on a signal and the shell tells no one: a parent that changes is the only sign of it.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), PARENT_POLL_MS).unref();
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
