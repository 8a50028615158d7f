/** Fresh clones of this repository, from which a deploy is rehearsed as from any other machine. */
import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { tokenFileOf } from "../secrets.ts";
import type { Cloudflare } from "./cloudflare.ts";
import type { Rehearsed } from "./failures.ts";

export interface Clone {
  directory: string;
  /** `git status --porcelain`: empty in a clean tree. */
  changes(): string;
  remove(): void;
}

const git = (directory: string, ...args: string[]): string =>
  execFileSync("git", ["-C", directory, ...args], { encoding: "utf8" });

/** The folder that `npm run` builds to. Files that a running wrangler keeps there come and go. */
const BUILT = ["src", "dist/api", "dist/assets", "dist/fonts", ":(exclude,glob)**/.wrangler/**"];

/**
 * Makes a clone of the commit that is checked out here. It shares the installed packages, and gets copies of what `npm
 * run` builds, so that a rehearsal does not spend its time on them.
 */
export function newClone(root: string): Clone {
  const directory = mkdtempSync(join(tmpdir(), "silverprint-clone-"));
  git(root, "clone", "--quiet", root, directory);
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
  appendFileSync(join(directory, ".git/info/exclude"), "node_modules\n");
  // Older than the installed packages, or they would be installed again.
  utimesSync(join(directory, "package-lock.json"), 0, 0);
  const built = git(root, "ls-files", "--others", "--ignored", "--exclude-standard", "--", ...BUILT).split(
    "\n",
  );
  for (const file of built.filter((name) => name !== "")) {
    mkdirSync(join(directory, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(directory, file));
  }
  return {
    directory,
    changes: () => git(directory, "status", "--porcelain"),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Takes the token that a deploy without a terminal has left in the clone. */
function takeToken(directory: string): string[] {
  const file = join(directory, tokenFileOf("silverprint"));
  if (!existsSync(file)) return [];
  const token = readFileSync(file, "utf8").trim();
  rmSync(file);
  return [token];
}

/** Runs `npm run deploy` in a clone, signed in to the rehearsed account. */
export async function runDeploy(
  clone: Clone,
  cloudflare: Cloudflare,
  flags: string[] = [],
  env: Record<string, string> = {},
): Promise<Rehearsed> {
  const child = spawn("npm", ["run", "--silent", "deploy", "--", ...flags], {
    cwd: clone.directory,
    env: {
      ...process.env,
      CLOUDFLARE_API_BASE_URL: cloudflare.baseUrl,
      CLOUDFLARE_API_TOKEN: "token-of-the-rehearsal",
      CLOUDFLARE_ACCOUNT_ID: cloudflare.account.id,
      ROOT_TOKEN: "",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (data: Buffer): void => void (output += data.toString());
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const exitCode = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { exitCode, output, tokens: takeToken(clone.directory) };
}
