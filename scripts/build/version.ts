/** Writes package.json's version into src/generated/version.ts (not in the repository), which both Workers report. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = join(ROOT, "src/generated");
const TARGET = join(FOLDER, "version.ts");

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const source = `/** The version in package.json. Written by scripts/build/version.ts. */\nexport const VERSION = "${version}";\n`;
if (!existsSync(TARGET) || readFileSync(TARGET, "utf8") !== source) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(TARGET, source);
}
