/** Runs wrangler with the configuration of a deployment. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { WranglerConfig } from "./deployment.ts";

export interface WranglerRun {
  output: string;
  /** Addresses of the Worker that was deployed. */
  addresses: string[];
}

/** @throws Error with wrangler's words when it fails */
export type RunWrangler = (
  worker: "edge" | "builder",
  args: string[],
  /** The content of a file that a flag names. The file exists only for the run, and only its owner can read it. */
  files?: Record<string, string>,
) => Promise<WranglerRun>;

export interface WranglerOptions {
  root: string;
  env: Record<string, string>;
  /** The configuration of each Worker as it is now. */
  configOf: (worker: "edge" | "builder") => WranglerConfig;
}

export const CONFIG_FILES = { edge: "wrangler.toml", builder: "src/builder/wrangler.toml" } as const;

/** No prompts, no colours, no look-up of newer versions: the output is for the error message. */
const QUIET = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  NO_COLOR: "1",
  FORCE_COLOR: "0",
};

/**
 * Workers Builds is connected to one Worker, whose name wrangler takes for whatever it deploys: both of ours would go to
 * that one.
 */
const NO_OVERRIDES = { WRANGLER_CI_OVERRIDE_NAME: undefined, WRANGLER_CI_MATCH_TAG: undefined };

const children = new Set<ChildProcess>();

/** Ends what runs. */
export function stopWrangler(): void {
  for (const child of children) child.kill("SIGTERM");
}

/** Runs wrangler to its end. @throws Error with its words when it fails */
export async function execWrangler(
  root: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ stdout: string; output: string }> {
  const child = spawn(join(root, "node_modules/.bin/wrangler"), args, {
    cwd: root,
    env: { ...process.env, ...QUIET, ...NO_OVERRIDES, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let stdout = "";
  let output = "";
  child.stdout.on("data", (data: Buffer) => {
    stdout += data.toString();
    output += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => (output += data.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  children.delete(child);
  if (code !== 0)
    throw new Error(`wrangler ${args.join(" ")} failed:\n${stripVTControlCharacters(output).trim()}`);
  return { stdout, output };
}

interface OutputEntry {
  type: string;
  targets?: string[];
}

/** Returns the addresses in wrangler's output file, which has a line of JSON per event. */
export function addressesIn(events: string): string[] {
  const entries = events
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as OutputEntry);
  const targets = entries.filter(({ type }) => type === "deploy").flatMap((entry) => entry.targets ?? []);
  return targets.filter((target) => target.startsWith("https://"));
}

/**
 * Returns a runner of wrangler. It writes the configuration beside the repository's own for as long as wrangler runs,
 * so that the paths in it mean the same and nothing that is committed changes.
 */
export function newWranglerRunner({ root, env, configOf }: WranglerOptions): RunWrangler {
  return async (worker, args, files = {}) => {
    const config = configOf(worker);
    const file = join(dirname(CONFIG_FILES[worker]), `wrangler.deploy-${config.name}.json`);
    const scratch = mkdtempSync(join(tmpdir(), "silverprint-deploy-"));
    const events = join(scratch, "events.ndjson");
    writeFileSync(events, "");
    writeFileSync(join(root, file), JSON.stringify(config, null, 2));
    const named = Object.entries(files).flatMap(([flag, text], at) => {
      const path = join(scratch, `file-${at}`);
      writeFileSync(path, text, { mode: 0o600 });
      return [flag, path];
    });
    try {
      const run = await execWrangler(root, [...args, ...named, "-c", file], {
        ...env,
        WRANGLER_OUTPUT_FILE_PATH: events,
      });
      return { output: run.output, addresses: addressesIn(readFileSync(events, "utf8")) };
    } finally {
      rmSync(join(root, file), { force: true });
      rmSync(scratch, { recursive: true, force: true });
    }
  };
}
