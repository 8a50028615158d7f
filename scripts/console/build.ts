/**
 * Builds the console and the page of the API reference into dist/assets (not in the repository), and copies the API
 * document there. The edge Worker serves that folder. Every run of `run.mjs` starts this script. It does nothing while
 * the last build is newer than its sources.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DIST = join(ROOT, "dist");
/** The folder that `[assets]` in wrangler.toml names. */
const TARGET = join(DIST, "assets");
/** Written by scripts/api. */
const API = join(DIST, "api");
const SOURCES = [
  "src/console",
  "src/client",
  "src/limits.ts",
  "scripts/console",
  "dist/api",
  "package-lock.json",
];

/** Returns the latest modification time in a folder, in milliseconds. */
function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isStale(): boolean {
  const page = join(TARGET, "console/index.html");
  if (!existsSync(page)) return true;
  return Math.max(...SOURCES.map((path) => newest(join(ROOT, path)))) > statSync(page).mtimeMs;
}

/** Builds beside the target and then renames the result, so that two runs at once never mix their files. */
async function build(): Promise<void> {
  const [{ build: bundle }, { consoleConfigs }, { inlineFirstPaint }] = await Promise.all([
    import("vite"),
    import("./vite-config.ts"),
    import("./inline.ts"),
  ]);
  mkdirSync(DIST, { recursive: true });
  const fresh = mkdtempSync(join(DIST, ".assets-"));
  const old = mkdtempSync(join(DIST, ".assets-old-"));
  try {
    const folder = join(fresh, "assets/console");
    for (const config of consoleConfigs(ROOT, folder)) await bundle(config);
    inlineFirstPaint(folder);
    cpSync(API, join(fresh, "assets/api"), { recursive: true });
    if (existsSync(TARGET)) renameSync(TARGET, join(old, "assets"));
    renameSync(join(fresh, "assets"), TARGET);
  } finally {
    for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
  }
}

if (isStale()) await build();
