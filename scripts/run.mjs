/**
 * Runs one of our scripts, or a tool, on the Node that the project pins: installs and builds what is missing first.
 * Written for any Node from 18 on, since it is what a fresh machine has. Whatever ends it, or ends npm above it, ends
 * everything that it started.
 *
 *   node scripts/run.mjs scripts/start/index.ts [args]   a script of ours
 *   node scripts/run.mjs vitest run [args]               a tool from node_modules/.bin
 */
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { endTree, watchStarters } from "./start/process-tree.mjs";

// Read before anything else: an npm that is killed during the build must be missed as well.
const isOrphaned = watchStarters();
const STARTERS_POLL_MS = 500;
/** More than a service takes to end by itself. */
const GRACE_MS = 10_000;

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BIN = join(ROOT, "node_modules/.bin");
const NODE = join(BIN, "node");
const ENV = { ...process.env, PATH: BIN + delimiter + process.env.PATH };

/** What npm itself leaves behind an install: older than the lockfile, it is out of date. */
const INSTALLED = join(ROOT, "node_modules/.package-lock.json");

let current = null;
let isEnding = false;

async function end(signal) {
  if (isEnding) return;
  isEnding = true;
  if (current) await endTree(current, signal, GRACE_MS);
  process.exit(current?.exitCode ?? 1);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void end(signal));
// npm ends its shell on a signal, or is killed, and no one tells us: parents that change are the only sign of it.
setInterval(() => isOrphaned() && void end("SIGTERM"), STARTERS_POLL_MS).unref();

/** Runs a command to its end and ends with it unless it succeeds. */
async function run(command, args, options = {}) {
  current = spawn(command, args, { cwd: ROOT, env: ENV, stdio: "inherit", ...options });
  const code = await new Promise((resolve) => {
    current.on("error", (error) => resolve(console.error(error.message) ?? 1));
    current.on("exit", (status, signal) => resolve(status ?? (signal ? 1 : 0)));
  });
  // `end` goes on to what the command has left running.
  if (isEnding) await new Promise(() => undefined);
  if (code !== 0) process.exit(code);
}

function isInstalled() {
  if (!existsSync(INSTALLED) || !existsSync(NODE)) return false;
  return statSync(INSTALLED).mtimeMs >= statSync(join(ROOT, "package-lock.json")).mtimeMs;
}

/** Not `npm ci`: some mirrors lack workerd's packages for other platforms, which it takes for a broken lockfile. */
async function install() {
  if (isInstalled()) return;
  console.log("Installing dependencies (once) ...");
  const flags = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", flags, { env: process.env, stdio: ["ignore", "inherit", "inherit"] });
}

const [command = "", ...args] = process.argv.slice(2);
await install();
await run(NODE, [join(ROOT, "scripts/build/index.ts")]);
await (command.startsWith("scripts/")
  ? run(NODE, [join(ROOT, command), ...args])
  : run(join(BIN, command), args));
