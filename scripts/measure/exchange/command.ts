/** Runs the built command as a user does, in a process of its own, and reads the most memory that it took. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { peakResidentBytes } from "../../harness/processes.ts";

/** VmHWM only grows, so the last reading before the end has all but what the last moments add. */
const POLL_MS = 10;

/** The place that a command works on. */
export interface Target {
  base: string;
  space: string;
  key: string;
}

export interface Run {
  /** Null for a run that was killed. */
  code: number | null;
  /** The peak of the resident memory of the process. */
  peakBytes: number;
  ms: number;
  /** The document of `--json`. */
  json: unknown;
  /** Standard output and error together. */
  output: string;
}

export interface RunOptions {
  /** Kills the process after this time, with SIGKILL, unless it has ended. */
  killAfterMs?: number;
  /** Is called in place of killing the process itself. */
  kill?: () => Promise<void>;
}

/** Runs the program of a package. @param folder of the package */
export async function runCommand(
  folder: string,
  { base, space, key }: Target,
  argv: readonly string[],
  { killAfterMs, kill }: RunOptions = {},
): Promise<Run> {
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: "",
    SILVERPRINT_URL: base,
    SILVERPRINT_SPACE: space,
    SILVERPRINT_KEY: key,
  };
  const started = performance.now();
  const program = join(folder, "command/silverprint.js");
  const child = spawn(process.execPath, [program, ...argv, "--json"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, all] = ["", ""];
  child.stdout.on("data", (data: Buffer) => {
    out += data.toString();
    all += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => (all += data.toString()));
  let peakBytes = 0;
  const look = setInterval(() => {
    try {
      peakBytes = Math.max(peakBytes, peakResidentBytes(child.pid ?? 0));
    } catch {
      // The process has ended.
    }
  }, POLL_MS);
  let killing: Promise<void> | undefined;
  const timer =
    killAfterMs === undefined
      ? undefined
      : setTimeout(() => {
          if (kill) killing = kill();
          else child.kill("SIGKILL");
        }, killAfterMs);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  clearInterval(look);
  await killing;
  return { code, peakBytes, ms: performance.now() - started, json: jsonIn(out), output: all };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
