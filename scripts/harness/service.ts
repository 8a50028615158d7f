/** Runs `npm start` for tests and measurements that use real HTTP. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../start/processes.ts";

export interface Service {
  /** `http://localhost:PORT` */
  base: string;
  rootToken: string;
  dataDir: string;
  /** Everything that both Workers have printed. */
  output(): string;
  /** Stops the service as Ctrl-C does. */
  stop(): Promise<void>;
  /** Kills all processes at once, like a power cut. */
  kill(): Promise<void>;
  /** The ids of processes below the start script whose command line matches. */
  processes(pattern: RegExp): Promise<number[]>;
}

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), "silverprint-test-"));
export const removeDataDir = (dir: string): void => rmSync(dir, { recursive: true, force: true });

/** @throws Error with the output when it ends before it is ready; it gives up by itself (start/processes.ts) */
export async function startService(options: {
  dataDir: string;
  port?: number;
  /** Further environment variables. */
  env?: Record<string, string>;
}): Promise<Service> {
  const { dataDir, port = await freePort(), env: more = {} } = options;
  const rootToken = "root-of-the-end-to-end-tests";
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    ROOT_TOKEN: rootToken,
    DEMO: "0",
    // Tests read what the Workers log.
    LOG_SAMPLE: "1",
    LEASH: "1",
    ...more,
  };
  // The service has a process group of its own, so that the test can end all of it but not itself. The system closes the
  // pipe to it when the test is killed, which ends the service too.
  const child = spawn("npm", ["start"], { env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  const collect = (data: Buffer): void => void (output += data.toString());
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const base = `http://localhost:${port}`;
  await new Promise<void>((resolve, reject) => {
    child.on("exit", () => reject(new Error(`npm start ended:\n${output}`)));
    child.stdout.on("data", () => {
      if (output.includes(`Ready on ${base}\n`)) resolve();
    });
  }).catch(async (error: unknown) => {
    await end(child, "SIGKILL");
    throw error;
  });
  return {
    base,
    rootToken,
    dataDir,
    output: () => output,
    stop: () => end(child, "SIGTERM"),
    kill: () => end(child, "SIGKILL"),
    processes: (pattern) => processesOf(child.pid as number, pattern),
  };
}

/** Sends a signal to the whole process group and waits until all processes have ended. */
async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  const group = child.pid as number;
  try {
    process.kill(-group, signal);
  } catch {
    return;
  }
  while (isAlive(-group)) await new Promise((resolve) => setTimeout(resolve, 50));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function processesOf(group: number, pattern: RegExp): Promise<number[]> {
  const list = spawn("ps", ["-eo", "pid=,pgid=,args="], { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  list.stdout.on("data", (data: Buffer) => (text += data.toString()));
  await new Promise((resolve) => list.on("close", resolve));
  return text
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match && Number(match[2]) === group && pattern.test(match[3] ?? ""))
    .map((match) => Number(match?.[1]));
}
