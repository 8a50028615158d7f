/** Runs `npm start` for tests and measurements that use real HTTP. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../start/ports.ts";
import { descendantsOf, survivorsOf } from "../start/process-tree.mjs";

const POLL_MS = 50;

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
  /** Where the builder answers. */
  builderUrl: URL;
  /** The ids of the processes in which the builder and the edge run. */
  builderPid(): Promise<number>;
  edgePid(): Promise<number>;
}

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), "silverprint-test-"));
export const removeDataDir = (dir: string): void => rmSync(dir, { recursive: true, force: true });

/** @throws Error with the output when it ends before it is ready; it gives up by itself (start/ports.ts) */
export async function startService(options: {
  dataDir: string;
  port?: number;
  /** Further environment variables. */
  env?: Record<string, string>;
}): Promise<Service> {
  const { dataDir, port = await freePort(), env: more = {} } = options;
  const rootToken = "root-of-the-end-to-end-tests-0123";
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
    // It does not look on once the service is ready: each look copies the whole output, a line per request.
    const look = (): void => {
      if (!output.includes(`Ready on ${base}\n`)) return;
      child.stdout.off("data", look);
      resolve();
    };
    child.stdout.on("data", look);
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
    builderUrl: new URL(/^The builder: (.*)$/m.exec(output)?.[1] ?? base),
    builderPid: () => runtimeOf(child.pid as number, (itsPort) => itsPort !== port),
    edgePid: () => runtimeOf(child.pid as number, (itsPort) => itsPort === port),
  };
}

/**
 * Sends a signal to the whole process group and waits until all processes have ended. Those that have and whose status
 * no process has asked for yet count as ended: their ports are free.
 */
async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  const group = child.pid as number;
  const tree = descendantsOf(group);
  try {
    process.kill(-group, signal);
  } catch {
    return;
  }
  while (isRunning(child) || survivorsOf(tree).length > 0)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

/** Returns the process of workerd in a group whose port is the right one: the edge has the port of the service. */
async function runtimeOf(group: number, isRight: (port: number) => boolean): Promise<number> {
  const list = spawn("ps", ["-eo", "pid=,pgid=,args="], { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  list.stdout.on("data", (data: Buffer) => (text += data.toString()));
  await new Promise((resolve) => list.on("close", resolve));
  const processes = text
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+) .*workerd serve .*--socket-addr=entry=[\d.]+:(\d+)/.exec(line) ?? [])
    .map((fields) => fields.slice(1).map(Number));
  const found = processes.find(
    ([, itsGroup, port]) => itsGroup === group && port !== undefined && isRight(port),
  );
  if (found?.[0] === undefined) throw new Error("The process of the runtime is not running");
  return found[0];
}
