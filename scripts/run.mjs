/**
 * Runs one of our scripts, or a tool, on the Node version that the project pins. It first installs and builds what is
 * missing. It runs on any Node from 18 on, because a fresh machine may have no other. When it ends, or npm above it
 * ends, everything that it started ends too.
 *
 *   node scripts/run.mjs scripts/start/index.ts [args]   a script of ours
 *   node scripts/run.mjs vitest run [args]               a tool from node_modules/.bin
 */
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { endTree, watchStarters } from "./start/process-tree.mjs";

// Read first, so that an npm that is killed during the build is noticed as well.
const isOrphaned = watchStarters();
const STARTERS_POLL_MS = 500;
/** How long a service may take to end by itself. */
const GRACE_MS = 10_000;

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BIN = join(ROOT, "node_modules/.bin");
const NODE = join(BIN, "node");
const ENV = {
  // Compiled code of the tools, wrangler's above all, which every start would compile again.
  NODE_COMPILE_CACHE: join(ROOT, "node_modules/.cache/node"),
  ...process.env,
  PATH: BIN + delimiter + process.env.PATH,
};

/** The file that npm writes after an install. If it is older than the lockfile, packages are out of date. */
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
// npm ends its shell on a signal, or is killed, without a signal to us. A change of parents is the only sign.
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

/** Installs packages, but not by `npm ci`, which fails if a mirror lacks workerd's packages for other platforms. */
async function install() {
  if (isInstalled()) return;
  console.log("Installing dependencies (once) ...");
  const flags = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", flags, { env: process.env, stdio: ["ignore", "ignore", "inherit"] });
}

const [command = "", ...args] = process.argv.slice(2);
await install();
await run(NODE, [join(ROOT, "scripts/build/index.ts")]);
await (command.startsWith("scripts/")
  ? run(NODE, [join(ROOT, command), ...args])
  : run(join(BIN, command), args));
