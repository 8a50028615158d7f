/**
 * Writes the API document, its page and the page about agents into dist/api (not in the repository). They are put among the assets with the
 * console: neither they nor what writes them are part of the edge Worker's bundle.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describedApi } from "./described.ts";
import { agentsPage } from "./agents-page.ts";
import { docsPage } from "./page.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const OUT = join(ROOT, "dist/api");
const SOURCES = [
  "src/edge",
  "src/image/model",
  "src/limits.ts",
  "src/errors.ts",
  "scripts/api",
  "package.json",
];

/** Returns the newest modification time in a folder, in milliseconds. */
function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isStale(targets: readonly string[]): boolean {
  if (!targets.every((path) => existsSync(path))) return true;
  const sources = Math.max(...SOURCES.map((path) => newest(join(ROOT, path))));
  return sources > Math.min(...targets.map((path) => statSync(path).mtimeMs));
}

const openapi = join(OUT, "openapi.json");
const page = join(OUT, "docs.html");
const agents = join(OUT, "mcp.html");
if (isStale([openapi, page, agents])) {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  const document = await describedApi(version);
  mkdirSync(OUT, { recursive: true });
  writeFileSync(openapi, JSON.stringify(document));
  writeFileSync(page, docsPage(document));
  writeFileSync(agents, agentsPage(document));
}
